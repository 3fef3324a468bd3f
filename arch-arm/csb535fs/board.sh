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
