#!/bin/sh
# i.MX21 and the CSB535FS, in our own QEMU. The debug kernel of the other ARM board knows this
# one too: one build less.
IPIPE_BOARD=csb535fs
KERNEL_BOARD=imx25pdk
. "$(dirname "$0")/lib.sh"
guest_tests ipipe test+debug
