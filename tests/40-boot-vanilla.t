#!/bin/sh
# The unpatched kernel: the ground that the other boots stand on.
. "$(dirname "$0")/lib.sh"
guest_tests vanilla -
