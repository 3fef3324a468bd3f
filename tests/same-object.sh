#!/bin/sh
# Is an object of the patched tree what vanilla's is, but for line numbers? On ARM WARN_ON() has
# its line in the code, and some numbers take an instruction more than others. So both are compiled
# again, with all lines numbered 0.
#
# usage: tests/same-object.sh VANILLA OURS OBJECT
#   VANILLA, OURS  build directories
#   OBJECT         its name in both
# Exit code 0: the same. 1: not, or it cannot be told; what differs goes to standard output.
set -u

_vanilla=$1
_ours=$2
_obj=$3
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
trap 'exit 130' INT TERM HUP

# again DIR TO: DIR's command for the object once more, for its result in TO
again()
{
	(
		_to=$2
		cd "$1" || exit 1
		_cmd=${_obj%"${_obj##*/}"}.${_obj##*/}.cmd
		_line=$(sed -n '1s/^[^=]*:= //; 1s/\\#/#/g; 1s/\$\$/$/g; 1p' "$_cmd")
		eval "set -- $_line"
		_n=$#
		while [ $_n -gt 0 ]; do
			case $1 in
			ccache|-save-temps=obj|-Wp,-MMD,*) ;;
			-o) shift; _n=$((_n - 1)) ;;
			*) set -- "$@" "$1" ;;
			esac
			shift
			_n=$((_n - 1))
		done
		# what compiled it has the tools beside it
		echo "${1%gcc}objdump" >"$T/objdump"
		"$@" -D__LINE__=0 -w -o "$_to"
	)
}

# content FILE.o: all that is in its sections, and what that refers to
content()
{
	"$(cat "$T/objdump")" -s -r "$1" | awk '
		NR > 3 && /^Contents of section/ { line_numbers = $4 == "__bug_table:" }
		NR > 3 && !line_numbers'
}

again "$_vanilla" "$T/vanilla.o" && again "$_ours" "$T/ours.o" || exit 1
content "$T/vanilla.o" >"$T/vanilla"
content "$T/ours.o" >"$T/ours"
[ -s "$T/ours" ] && diff "$T/vanilla" "$T/ours"
