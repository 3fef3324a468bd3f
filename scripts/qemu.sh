#!/bin/sh
# Builds our own QEMU (make qemu): QEMU 7.2 with the stack of tests/qemu/emulator pushed by quilt.
# Prints the directory with qemu-system-arm and qemu-system-ppc. Does nothing else when they are
# there and up to date with the stack.
#
# usage: scripts/qemu.sh [--tests]
#   --tests  builds the tests of our own devices as well: tests/qtest/imx21-*-test there
# environment:
#   QEMU_SOURCE  a .dsc, a tarball or a tree to take, see scripts/fetch-qemu.sh
#   JOBS         compile jobs; default: one a processor
#
# build/qemu-src is for working in: edit, 'ninja -C build/qemu', 'quilt refresh'. It has a copy of
# the stack, from which a refreshed patch is to be copied back to tests/qemu/emulator/patches. When
# the stack changes by other ways, the tree is brought up to date, unless there is work in it that
# would be lost.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

STACK=$TOP/tests/qemu/emulator
SRC=$BUILD/qemu-src
OUT=$BUILD/qemu
BINARIES="qemu-system-arm qemu-system-ppc"
TESTS="tests/qtest/imx21-gpt-test tests/qtest/imx21-gpio-test"
# Only what the boards need: the default set of devices is twice as much to compile.
OPTIONS="--target-list=arm-softmmu,ppc-softmmu --without-default-features --enable-tcg
	--enable-fdt=system --disable-docs --disable-tools --disable-debug-info
	--without-default-devices --with-devices-arm=ipipe --with-devices-ppc=ipipe"
# shellcheck disable=SC2086,SC2116
OPTIONS=$(echo $OPTIONS)
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL NINJA_STATUS

_targets=$BINARIES
case $#,${1:-} in
0,) ;;
1,--tests) _targets="$BINARIES $TESTS" ;;
*) die "usage: qemu.sh [--tests]" ;;
esac

# patches_of DIR: the names in its series
patches_of()
{
	sed 's/[ 	]*#.*//; s/[ 	].*//; /^$/d' "$1/series"
}

# sum_of DIR: changes when its series or any patch in it does
sum_of()
{
	{
		patches_of "$1"
		(cd "$1/patches" && patches_of "$1" | xargs -r cat)
	} 2>/dev/null | sha256sum | cut -d' ' -f1
}

[ -f "$STACK/series" ] || die "there is no tests/qemu/emulator/series"
for _p in $(patches_of "$STACK"); do
	[ -f "$STACK/patches/$_p" ] ||
		die "tests/qemu/emulator/series names $_p, which is not in patches/"
done
_sum=$(sum_of "$STACK")

# Each program has the stack and the options that it was made with beside it.
built()
{
	for _b in $_targets; do
		[ -x "$OUT/$_b" ] && [ "$(cat "$OUT/$_b.from" 2>/dev/null)" = "$_sum $OPTIONS" ] ||
			return 1
	done
}

build_lock qemu
if [ -n "${QEMU_SOURCE:-}" ]; then
	# not silently another one than that of the tree we keep
	_source=$("$TOP/scripts/fetch-qemu.sh" 9>&-) || exit 1
	[ ! -d "$SRC" ] || [ "$(cat "$SRC/.source" 2>/dev/null)" = "$_source" ] ||
		die "QEMU_SOURCE=$QEMU_SOURCE: build/qemu-src was made from $(cat "$SRC/.source"); to change that: rm -rf $SRC"
fi
if built; then
	echo "$OUT"
	exit 0
fi

# missing: prints the first thing that is not here
missing()
{
	for _t in gcc:gcc ninja:ninja-build meson:meson pkg-config:pkg-config python3:python3 \
		quilt:quilt dpkg-source:dpkg-dev xz:xz-utils bison:bison flex:flex; do
		command -v "${_t%:*}" >/dev/null 2>&1 || { echo "$_t"; return; }
	done
	for _t in glib-2.0:libglib2.0-dev pixman-1:libpixman-1-dev; do
		pkg-config --exists "${_t%:*}" || { echo "$_t"; return; }
	done
	echo '#include <libfdt.h>' | gcc -E - >/dev/null 2>&1 || echo libfdt.h:libfdt-dev
}

if [ -n "$(missing)" ]; then
	"$TOP/scripts/setup.sh" qemu 9>&- || exit 1
	_t=$(missing)
	[ -z "$_t" ] ||
		die "${_t%:*} is missing (Debian package ${_t#*:}); 'scripts/setup.sh qemu' installs it"
fi
_t0=$(now)

# quilt_src ARGS: in the tree, with its copy of the stack, whatever the user's ~/.quiltrc says
quilt_src()
{
	(cd "$SRC" && QUILT_PATCHES=patches QUILT_SERIES=series QUILT_PC=.pc \
		quilt --quiltrc - "$@" 9>&-) >"$BUILD/qemu-quilt.log" 2>&1
}

# SRC appears only when it is complete.
unpack()
{
	_s=$("$TOP/scripts/fetch-qemu.sh" 9>&-) || exit 1
	_log=$BUILD/qemu-unpack.log
	say "unpack ${_s##*/} to build/qemu-src (240 MB)"
	# objects are newer than what comes out of an archive, whatever it is
	rm -rf "$SRC" "$SRC.part" "$OUT/.options"
	if [ -d "$_s" ]; then
		mkdir -p "$SRC.part" && cp -R -p "$_s/." "$SRC.part"
	elif [ "${_s%.dsc}" != "$_s" ]; then
		# the signature needs Debian's keyring; that the files are Debian's, apt has checked
		dpkg-source --no-copy --no-check -x "$_s" "$SRC.part"
	else
		mkdir -p "$SRC.part" && tar -C "$SRC.part" --strip-components=1 -xf "$_s"
	fi >"$_log" 2>&1 9>&- || {
		rm -rf "$SRC.part"
		die "cannot unpack $_s (disk full?): $(grep -m 1 -i 'error\|no space\|cannot' "$_log")"
	}
	_v=$(cat "$SRC.part/VERSION" 2>/dev/null)
	case $_v in
	7.2|7.2.*) ;;
	*)
		rm -rf "$SRC.part"
		die "$_s: QEMU ${_v:-of no known version}; the stack is for 7.2" ;;
	esac
	# What was pushed before is part of the tree: our patches are the only ones that quilt knows.
	rm -rf "$SRC.part/.pc" "$SRC.part/debian/patches"
	echo "$_s" >"$SRC.part/.source" && mv "$SRC.part" "$SRC" || die "cannot make $SRC (disk full?)"
}

push()
{
	if [ "$(sum_of "$SRC")" = "$_sum" ] && [ ! -e "$SRC/.pushing" ] &&
	   patches_of "$STACK" | cmp -s - "$SRC/.pc/applied-patches"; then
		return
	fi
	if [ -d "$SRC/patches" ]; then
		[ "$(sum_of "$SRC")" = "$_sum" ] || [ "$(sum_of "$SRC")" = "$(cat "$SRC/.pushed" 2>/dev/null)" ] ||
			die "build/qemu-src: its patches and those of tests/qemu/emulator both changed; copy what was refreshed there, or delete it"
		[ "$(sum_of "$SRC")" = "$_sum" ] || say "build/qemu-src: the stack changed"
	fi
	if [ -s "$SRC/.pc/applied-patches" ]; then
		quilt_src pop -a ||
			die "build/qemu-src: has edits that are in no patch; 'quilt refresh' there, or delete it"
	fi
	# a broken patch must not keep a tree behind that looks pushed, nor must an interruption
	echo 1 >"$SRC/.pushing" &&
		rm -rf "$SRC/patches" "$SRC/series" &&
		cp -R "$STACK/patches" "$SRC/patches" && cp "$STACK/series" "$SRC/series" &&
		echo "$_sum" >"$SRC/.pushed" || die "cannot write in $SRC (disk full?)"
	quilt_src push -a --fuzz=0
	_rc=$?
	rm -f "$SRC/.pushing"
	if [ $_rc != 0 ]; then
		_l=$(grep -m 1 'FAILED\|does not apply\|already exists\|No space left\|malformed' "$BUILD/qemu-quilt.log")
		die "build/qemu-src: $(sed -n 's/^Applying patch //p' "$BUILD/qemu-quilt.log" | tail -n 1): ${_l:-cannot be pushed}"
	fi
	say "build/qemu-src: $(patches_of "$STACK" | wc -l) patches pushed"
}

# A push that was cut off leaves a file half patched, which quilt does not know.
[ -d "$SRC" ] && [ ! -e "$SRC/.pushing" ] || unpack
push

_cc=gcc
if command -v ccache >/dev/null 2>&1; then
	_cc="ccache gcc"
	# by the compiler's list of included files: no run of the preprocessor for what is not there
	CCACHE_DEPEND=1
	export CCACHE_DEPEND
fi
if [ ! -f "$OUT/build.ninja" ] || [ "$(cat "$OUT/.options" 2>/dev/null)" != "$OPTIONS" ]; then
	say "configure QEMU"
	rm -rf "$OUT"
	mkdir -p "$OUT" || die "cannot make $OUT"
	# shellcheck disable=SC2086
	(cd "$OUT" && "$SRC/configure" --cc="$_cc" --host-cc="$_cc" $OPTIONS 9>&-) >"$OUT/configure.log" 2>&1 || {
		_l=$(grep -m 1 'ERROR' "$OUT/configure.log" || tail -n 1 "$OUT/configure.log")
		die "QEMU: configuration failed, see $OUT/configure.log: $_l"
	}
	echo "$OPTIONS" >"$OUT/.options" || die "cannot write in $OUT (disk full?)"
fi

say "build QEMU (log: $OUT/build.log)"
# shellcheck disable=SC2086
ninja -C "$OUT" -j"$(jobs_n)" $_targets >"$OUT/build.log" 2>&1 9>&- &
_pid=$!
trap 'kill $_pid 2>/dev/null; wait $_pid 2>/dev/null; exit 130' INT TERM HUP
# One line now and then: how far it is.
_last=$(now)
while kill -0 $_pid 2>/dev/null; do
	sleep 0.3
	if [ $(($(now) - _last)) -ge 20 ]; then
		_last=$(now)
		say "  QEMU: $(sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 of \2 steps/p' "$OUT/build.log" | tail -n 1), $(since "$_t0")"
	fi
done
if ! wait $_pid; then
	grep -n -i -m 10 'error[: ]\|undefined reference\|No space left' "$OUT/build.log" >&2 ||
		tail -n 15 "$OUT/build.log" >&2
	die "QEMU: the build failed, see $OUT/build.log"
fi
for _b in $_targets; do
	[ -x "$OUT/$_b" ] || die "QEMU: $OUT/$_b was not made"
	echo "$_sum $OPTIONS" >"$OUT/$_b.from" || die "cannot write in $OUT (disk full?)"
done
say "built QEMU in $(since "$_t0")"
echo "$OUT"
