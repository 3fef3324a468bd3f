#!/bin/sh
# ARM: with CONFIG_IPIPE=n the patched tree is vanilla.
IPIPE_BOARD=imx25pdk
. "$(dirname "$0")/30-off.t"
