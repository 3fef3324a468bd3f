#!/bin/sh
# What 'make' alone prints.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

cat <<END
make demo           vanilla Linux 6.1 with the series pushed, built, booted in QEMU:
                    a head domain measures its timer latency and prints table and histogram
make check          every test, under prove; TESTS="tests/10-apply.t ..." for some
make tree           build/linux: vanilla with the series pushed by quilt, ready to edit
make kernel         cross-build one kernel under build/    BOARD= KERNEL= VARIANT=
make boot           boot it in its emulator with a shell   BOARD= KERNEL= VARIANT= FILES=
make qemu           our own QEMU, with the machines that the distribution's has not: build/qemu
make bench          latencies and system call costs beside vanilla's: build/bench/BOARD.tsv
make kselftest      the kernel's own selftests here and on vanilla  BOARD= PROGRAMS=
make stats          lines in new files, lines changed in existing ones
make dist           single-file patches, under build/dist/
make check-series   build and boot the tree after every patch; takes long, can be resumed
make clean          remove what was built; downloads, trees and measured figures stay

BOARD    $(boards)
KERNEL   ipipe vanilla
VARIANT  $(cd "$TOP/scripts/kconfig" && ls | grep -v '^ipipe$' | tr '\n' ' ')
FILES    modules, static programs, ... for /root of the guest
PROGRAMS names of tests/kselftest.list; default: all for the board
LINUX    a 6.1.y tarball or tree to use; else it comes from Debian's source package
JOBS     compile jobs; default: one a processor
END
