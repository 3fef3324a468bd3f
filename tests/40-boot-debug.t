#!/bin/sh
# The pipelined kernel with everything on that complains, and its KUnit tests.
. "$(dirname "$0")/lib.sh"
guest_tests ipipe test+debug
