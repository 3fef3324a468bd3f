# shellcheck shell=sh disable=SC2034
# What the boards with an i.MX have alike; sourced by their board.sh.

ARCH=arm
CROSS_COMPILE=arm-linux-gnueabi-
# Kbuild target: vmlinux, zImage and the device trees of the one chip that is configured
KERNEL_TARGET="zImage dtbs"
KERNEL_IMAGE=arch/arm/boot/zImage
CONSOLE=ttymxc0,115200
# 2^2 ns an instruction: 250 MIPS
ICOUNT_SHIFT=2

# board_image BUILDDIR INITRAMFS CMDLINE OUT: makes what QEMU boots, here a folder.
# QEMU wants kernel, device tree and root file system as three files. The command line goes
# into the device tree: QEMU keeps what is there as long as it gets no -append, and so
# board_qemu_image prints no word with a space in it.
board_image()
{
	_w=$4.tmp
	_args=$3
	rm -rf "$_w" "$4"
	mkdir -p "$_w" &&
	ln -s "$1/$KERNEL_IMAGE" "$_w/kernel" &&
	dtc -q -I dtb -O dtb -p 1024 -o "$_w/board.dtb" "$1/$DTB" || return 1
	# an early console for a kernel that dies before it has its own
	if [ "${EARLYCON:-0}" = 1 ]; then
		_args="$_args earlycon"
		fdtput -t s "$_w/board.dtb" /chosen stdout-path \
			"$(fdtget "$_w/board.dtb" /aliases serial0)" || return 1
	fi
	# what of instruments is clipped to the board for this test
	if command -v board_clip >/dev/null; then
		board_clip "$_w/board.dtb" "$_args" || return 1
	fi
	fdtput -t s "$_w/board.dtb" /chosen bootargs "$_args" &&
	{ [ -z "$2" ] || ln -s "$2" "$_w/initrd"; } &&
	mv "$_w" "$4"
}

# qemu_image_args IMAGE
board_qemu_image()
{
	printf '%s' "-kernel $1/kernel -dtb $1/board.dtb"
	[ ! -e "$1/initrd" ] || printf '%s' " -initrd $1/initrd"
}
