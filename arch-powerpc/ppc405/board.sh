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

# board_program FILE: adapts a static program to the emulator. QEMU 7.2 has no floating point in a
# 405, so the kernel emulates it; but at "mffs", which the C library uses to convert numbers, QEMU
# itself ends. Bits 11 to 15 of the instruction are reserved: with one of them set QEMU takes it for
# the illegal instruction that it is, and the kernel, which does not look at them, for mffs.
# shellcheck disable=SC2004,SC2059
board_program()
{
	# file offset and address of the code
	_bp=$("${CROSS_COMPILE}readelf" -lW "$1" |
		sed -n 's/^ *LOAD *\(0x[0-9a-f]*\) \(0x[0-9a-f]*\) .* R E .*/\1 - \2/p')
	[ -n "$_bp" ] || return 1
	"${CROSS_COMPILE}objdump" -d --no-show-raw-insn "$1" |
		sed -n 's/^ *\([0-9a-f]*\):[ 	]*mffs\.\{0,1\}[ 	]*f\([0-9]*\)$/\1 \2/p' |
		while read -r _at _reg; do
			printf "\\$(printf %03o $((_reg % 8 * 32 + 2)))" |
				dd of="$1" bs=1 seek=$(($_bp + 0x$_at + 1)) conv=notrunc 2>/dev/null ||
				exit 1
		done
}
