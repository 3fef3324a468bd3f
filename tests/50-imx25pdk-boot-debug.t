#!/bin/sh
# ARM, stock QEMU: the pipelined kernel with everything on that complains, and KUnit.
IPIPE_BOARD=imx25pdk
. "$(dirname "$0")/40-boot-debug.t"
