#!/bin/sh
# i.MX21 and the CSB535FS, in our own QEMU: one kernel, with the KUnit tests in it.
IPIPE_BOARD=csb535fs
. "$(dirname "$0")/lib.sh"
guest_tests ipipe test
