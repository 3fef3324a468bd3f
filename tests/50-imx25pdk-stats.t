#!/bin/sh
# ARM: lines changed, and kernel size.
IPIPE_BOARD=imx25pdk
. "$(dirname "$0")/90-stats.t"
