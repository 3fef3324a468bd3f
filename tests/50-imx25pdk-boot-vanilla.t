#!/bin/sh
# ARM, stock QEMU: the unpatched kernel.
IPIPE_BOARD=imx25pdk
. "$(dirname "$0")/40-boot-vanilla.t"
