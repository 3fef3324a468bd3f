# shellcheck shell=sh disable=SC2034
# Everything the scripts know about this board: sourced by scripts/lib.sh (load_board).
# Cogent CSB535FS, i.MX21, as our own QEMU has it, machine "csb535fs" (tests/qemu/emulator).
. "$BOARD_DIR/../imx.sh"

BOARD_TITLE="Cogent CSB535FS (our QEMU, csb535fs)"
# stock QEMU has no i.MX21
QEMU=$BUILD/qemu/qemu-system-arm
QEMU_OURS=1
QEMU_ARGS="-M csb535fs -m 64"
# Linux lost the chip after 5.9: the patches of bench/csb535fs.base bring it back
NOT_IN_VANILLA=1
DTB=arch/arm/boot/dts/imx21-csb535fs.dtb

# board_clip DTB CMDLINE: the kernel's own tests want two GPIO lines that are toggled from outside.
# A generator does so in the emulator; here is what it is clipped to, and its period.
board_clip()
{
	case " $2 " in
	*" ipipe.guest=kunit "*|*" ipipe.guest=kunit,"*) ;;
	*) return 0 ;;
	esac
	_port=/soc/bus@10000000/pinctrl@10015000/gpio@10015100
	# nothing else refers to that port, so dtc gave it no number
	_ph=$(fdtget -t x "$1" $_port phandle 2>/dev/null) || {
		_ph=1000
		fdtput -t x "$1" $_port phandle $_ph || return 1
	}
	fdtput -p -t s "$1" /generator compatible ipipe,gpio-test &&
	fdtput -t x "$1" /generator gpios "$_ph" a 0 "$_ph" b 0 &&
	fdtput -t i "$1" /generator period-ns 100000
}

# as in ../imx.sh, with the generator on if the device tree has it
board_qemu_image()
{
	printf '%s' "-kernel $1/kernel -dtb $1/board.dtb"
	[ ! -e "$1/initrd" ] || printf '%s' " -initrd $1/initrd"
	! fdtget -p "$1/board.dtb" /generator >/dev/null 2>&1 ||
		printf '%s' " -M generator=on,generator-period=100000"
}
