#!/bin/sh
# ARM, stock QEMU: the pipelined kernel as it is used and measured.
IPIPE_BOARD=imx25pdk
. "$(dirname "$0")/40-boot-ipipe.t"
