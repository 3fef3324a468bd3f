#!/bin/sh
IPIPE_BOARD=imx25pdk
export IPIPE_BOARD
. "$(dirname "$0")/44-kselftest.t"
