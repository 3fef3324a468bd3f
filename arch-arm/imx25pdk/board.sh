# shellcheck shell=sh disable=SC2034
# Everything the scripts know about this board: sourced by scripts/lib.sh (load_board).
# Freescale i.MX25 product development kit as the stock QEMU has it, machine "imx25-pdk".
. "$BOARD_DIR/../imx.sh"

BOARD_TITLE="Freescale i.MX25 PDK (QEMU imx25-pdk)"
QEMU=qemu-system-arm
QEMU_PACKAGE=qemu-system-arm
QEMU_ARGS="-M imx25-pdk -m 128"
DTB=arch/arm/boot/dts/imx25-pdk.dtb
