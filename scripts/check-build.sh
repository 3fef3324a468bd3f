#!/bin/sh
# One of the builds that precede the tests (scripts/check.sh): says which and how long, and leaves
# it to the tests to fail where it fails.
#
# usage: scripts/check-build.sh START N/OF SCRIPT [ARG...]
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

[ $# -ge 3 ] && [ -f "$TOP/scripts/$3" ] || die "usage: check-build.sh START N/OF SCRIPT [ARG...]"
_start=$1
_at=$2
shift 2
say "[$_at] $* ($(since "$_start"))"
_script=$1
shift
"$TOP/scripts/$_script" "$@" >/dev/null || say "[$_at] $_script $*: failed"
exit 0
