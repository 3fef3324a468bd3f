#!/bin/sh
# The pipelined kernel as it is used and measured.
. "$(dirname "$0")/lib.sh"
guest_tests ipipe -
