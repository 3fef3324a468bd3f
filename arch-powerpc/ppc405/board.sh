# shellcheck shell=sh disable=SC2034
# Everything the scripts know about this board: sourced by scripts/lib.sh (load_board).
# PowerPC 405EP evaluation board as the stock QEMU has it, machine "ref405ep".

BOARD_TITLE="PowerPC 405EP evaluation board (QEMU ref405ep)"
ARCH=powerpc
CROSS_COMPILE=powerpc-linux-gnu-
# Kbuild target; it makes vmlinux, and by CONFIG_EXTRA_TARGETS the parts of the boot wrapper
KERNEL_TARGET=zImage.simpleboot-ref405ep
KERNEL_IMAGE=arch/powerpc/boot/zImage.simpleboot-ref405ep

QEMU=qemu-system-ppc
QEMU_PACKAGE=qemu-system-ppc
QEMU_ARGS="-M ref405ep -m 128"
CONSOLE=ttyS0
# 2^2 ns an instruction: 250 MIPS
ICOUNT_SHIFT=2
DTS=ref405ep.dts

# board_image BUILDDIR INITRAMFS CMDLINE OUT: makes the file that QEMU boots.
# QEMU tells the guest nothing true about its clocks, so the image is the kernel's
# own "simpleboot", which believes the device tree that is linked into it.
board_image()
{
	_w=$4.tmp
	rm -rf "$_w"
	mkdir -p "$_w" &&
	dtc -q -I dts -O dtb -p 1024 -o "$_w/board.dtb" "$BOARD_DIR/$DTS" &&
	fdtput -t s "$_w/board.dtb" /chosen bootargs "$3" || return 1
	# an early console for a kernel that dies before it has its own, see ref405ep.dts
	if [ "${EARLYCON:-0}" = 1 ]; then
		fdtput -t s "$_w/board.dtb" /chosen stdout-path \
			"$(fdtget "$_w/board.dtb" /aliases serial0)" || return 1
	fi
	srctree=$(cd "$1/source" && pwd) || return 1
	export srctree
	CONFIG_SHELL=/bin/sh "$srctree/arch/powerpc/boot/wrapper" \
		-Z none -p simpleboot-ref405ep -C "$CROSS_COMPILE" \
		-D "$1/arch/powerpc/boot" -W "$_w" -o "$_w/image" \
		-d "$_w/board.dtb" ${2:+-i "$2"} "$1/vmlinux" >"$_w/log" 2>&1 ||
		{ cat "$_w/log" >&2; return 1; }
	mv "$_w/image.elf" "$4" && rm -rf "$_w"
}

# qemu_image_args IMAGE
board_qemu_image()
{
	printf '%s' "-kernel $1"
}
