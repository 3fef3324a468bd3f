#!/bin/sh
IPIPE_BOARD=imx25pdk
export IPIPE_BOARD
. "$(dirname "$0")/42-calls.t"
