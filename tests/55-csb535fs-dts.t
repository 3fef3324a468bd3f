#!/bin/sh
# The device tree of the CSB535FS against the kernel's bindings (make dtbs_check), and the board's
# defconfig, from which it is made.
IPIPE_BOARD=csb535fs
. "$(dirname "$0")/lib.sh"

run "$TOP/scripts/setup.sh" dts
[ $rc = 0 ]; ok "dt-schema is there"
[ $rc = 0 ] || finish
run "$TOP/scripts/tree.sh" ipipe
[ $rc = 0 ]; ok "the patched tree is there"
[ $rc = 0 ] || finish
load_board "$IPIPE_BOARD"
b=$T/dtb
kmake()
{
	make -C "$BUILD/linux" O="$b" ARCH="$ARCH" CROSS_COMPILE="$CROSS_COMPILE" -j2 "$@"
}

run kmake csb535fs_defconfig
[ $rc = 0 ]; ok "csb535fs_defconfig configures a kernel"
grep -q '^CONFIG_SOC_IMX21=y' "$b/.config"; ok "for the i.MX21"

run kmake dtbs_check
[ $rc = 0 ] && grep -q 'DTC_CHK.*imx21-csb535fs.dtb' "$T/out"; ok "dtbs_check runs"
dtb=$b/arch/arm/boot/dts/imx21-csb535fs.dtb
schema=$b/Documentation/devicetree/bindings/processed-schema.json
# What the kernel has a binding for in prose only is named too, as matching no schema: as it should be.
complaints()
{
	grep 'imx21-csb535fs\.dtb: \|imx21.*: Warning ' "$1"
}
complaints "$T/out" >"$T/bad"
cp "$T/bad" "$T/out"
[ ! -s "$T/bad" ]; ok "nothing to complain about in imx21-csb535fs.dtb"

# and it would have been seen
while read -r p what; do
	cp "$dtb" "$T/imx21-csb535fs.dtb"
	fdtput -d "$T/imx21-csb535fs.dtb" "/soc/bus@10000000/$p" "$what" >"$T/out" 2>&1 &&
		run dt-validate -s "$schema" "$T/imx21-csb535fs.dtb"
	complaints "$T/out" | grep -q "${p##*/}"; ok "$p without $what is complained about"
done <<END
timer@10003000 clocks
serial@1000a000 interrupts
pinctrl@10015000/gpio@10015000 gpio-controller
END
finish
