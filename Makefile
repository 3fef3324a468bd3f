# The commands of this repository. Each target is a call of one script; see README.md.
# Nothing is compiled by rules here: the kernel's Kbuild does that, out of tree, under build/.

BOARD   ?= ppc405
KERNEL  ?= ipipe
VARIANT ?=
export BOARD KERNEL VARIANT LINUX JOBS

help:
	@scripts/help.sh
demo:
	@scripts/demo.sh "$(BOARD)"
check:
	@scripts/check.sh $(TESTS)
tree:
	@scripts/tree.sh all
kernel:
	@scripts/build-kernel.sh "$(BOARD)" "$(KERNEL)" "$(VARIANT)" >/dev/null
boot:
	@scripts/boot.sh "$(BOARD)" "$(KERNEL)" "$(VARIANT)" $(FILES)
qemu:
	@scripts/qemu.sh >/dev/null
bench:
	@scripts/bench.sh "$(BOARD)"
kselftest:
	@scripts/kselftest.sh "$(BOARD)" $(PROGRAMS)
stats:
	@scripts/stats.sh
dist:
	@scripts/dist.sh
check-series:
	@scripts/check-series.sh $(if $(filter command line environment,$(origin BOARD)),"$(BOARD)")
clean:
	@scripts/clean.sh

.PHONY: help demo check tree kernel boot qemu bench kselftest stats dist check-series clean
.NOTPARALLEL:
