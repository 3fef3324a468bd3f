#!/bin/sh
# Builds our own QEMU: Debian's source package with the stack of arch-arm/wip/emulator pushed by
# quilt. Prints the directory with qemu-system-arm and qemu-system-ppc. Does nothing else when
# they are there and up to date with the stack.
#
# usage: scripts/qemu.sh [--tests]
#   --tests  builds the tests of our own devices as well: tests/qtest/imx21-*-test there
# environment: JOBS
#
# The source is asked for through apt, as scripts/fetch-linux.sh does it for Linux: with the
# package sources that this machine has, from a configuration of our own under build/, checked by
# apt against Debian's signed checksums, and by ours at each later use.
#
# build/qemu-src is for working in. It has a copy of the stack: edit, 'quilt refresh', copy the
# patch back to arch-arm/wip/emulator/patches. When the stack changes by other ways, the tree is
# brought up to date, unless there are edits in it that are in no patch.
set -u
TOP=$(cd "$(dirname "$0")/../../.." && pwd)
. "$TOP/scripts/lib.sh"

STACK=$TOP/arch-arm/wip/emulator
DL=$BUILD/dl
APT=$BUILD/apt-qemu
SRC=$BUILD/qemu-src
OUT=$BUILD/qemu
# Debian 12 has this one, with the stable updates as patches
QEMU_VERSION=7.2
BINARIES="qemu-system-arm qemu-system-ppc"
TESTS="tests/qtest/imx21-gpt-test tests/qtest/imx21-gpio-test"
# Only what the boards need: the default set of devices is twice as much to compile.
OPTIONS="--target-list=arm-softmmu,ppc-softmmu --without-default-features --enable-tcg
	--enable-fdt=system --disable-docs --disable-tools --disable-debug-info
	--without-default-devices --with-devices-arm=ipipe --with-devices-ppc=ipipe"

_targets=$BINARIES
case $#,${1:-} in
0,) ;;
1,--tests) _targets="$BINARIES $TESTS" ;;
*) die "usage: qemu.sh [--tests]" ;;
esac

stack_patches()
{
	sed 's/[ 	]*#.*//; s/[ 	].*//; /^$/d' "$STACK/series"
}

[ -f "$STACK/series" ] || die "there is no $STACK/series"
for _p in $(stack_patches); do
	[ -f "$STACK/patches/$_p" ] || die "$STACK/series names $_p, which is not in patches/"
done

# changes when the stack does, or how it is built
stack_sum()
{
	{
		# shellcheck disable=SC2086
		echo $OPTIONS
		stack_patches
		stack_patches | while read -r _p; do
			cat "$STACK/patches/$_p"
		done
	} | sha256sum | cut -d' ' -f1
}

built()
{
	for _b in $_targets; do
		[ -x "$OUT/$_b" ] || return 1
	done
	[ "$(cat "$OUT/.stack" 2>/dev/null)" = "$(stack_sum)" ]
}

build_lock qemu
if built; then
	echo "$OUT"
	exit 0
fi

for _t in gcc:gcc ninja:ninja-build meson:meson pkg-config:pkg-config python3:python3 \
	quilt:quilt dpkg-source:dpkg-dev xz:xz-utils bison:bison flex:flex; do
	need "${_t%:*}" "${_t#*:}"
done
for _t in glib-2.0:libglib2.0-dev pixman-1:libpixman-1-dev; do
	pkg-config --exists "${_t%:*}" ||
		die "${_t%:*} is missing (Debian package ${_t#*:}); 'scripts/setup.sh' installs it"
done
echo '#include <libfdt.h>' | gcc -E - >/dev/null 2>&1 ||
	die "libfdt.h is missing (Debian package libfdt-dev); 'scripts/setup.sh' installs it"
mkdir -p "$DL" || die "cannot make $DL"

# The machine's own package sources as source-package lines, where apt looks when told to
apt_sources()
{
	rm -rf "$APT/parts"
	mkdir -p "$APT/parts" "$APT/lists/partial" "$APT/cache/archives/partial" ||
		die "cannot make $APT"
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -n 's/^[ 	]*deb\(-src\)\{0,1\}[ 	]\{1,\}/deb-src /p' |
		sort -u >"$APT/parts/debian.list"
	for _s in /etc/apt/sources.list.d/*.sources; do
		[ -f "$_s" ] || continue
		sed 's/^Types:.*/Types: deb-src/' "$_s"
		echo
	done >"$APT/parts/debian.sources"
	[ -s "$APT/parts/debian.list" ] || rm -f "$APT/parts/debian.list"
	grep -q '^URIs:' "$APT/parts/debian.sources" || rm -f "$APT/parts/debian.sources"
	[ -n "$(ls "$APT/parts")" ] || die "apt knows no package sources here"
}

# apt_do TOOL ARGS
apt_do()
{
	_tool=$1
	shift
	"$_tool" -q \
		-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$APT/parts" \
		-o Dir::State::Lists="$APT/lists" -o Dir::Cache="$APT/cache" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
		-o APT::Sandbox::User="$(id -un)" -o APT::Get::List-Cleanup=0 \
		-o Acquire::Retries=2 -o Acquire::Languages=none "$@" 9>&-
}

# fetched: the .dsc of a package that is in build/dl with all its files, newest first
fetched()
{
	for _s in $(ls "$DL"/qemu_"$QEMU_VERSION"*.sha256 2>/dev/null | sort -rV); do
		if (cd "$DL" && sha256sum --status -c "$_s" 2>/dev/null); then
			echo "${_s%.sha256}"
			return
		fi
		say "${_s%.sha256} or a file of it is not what was downloaded: fetching it again"
		rm -f "$_s"
	done
	return 1
}

fetch()
{
	need apt-get apt
	apt_sources
	say "ask the package mirror which QEMU $QEMU_VERSION it has"
	apt_do apt-get update >"$APT/log" 2>&1 ||
		say "(not all package sources could be read; going on with what apt has)"
	_list=$(apt_do apt-cache showsrc --only-source qemu 2>/dev/null |
		sed -n "s/^Version: \(\([0-9]*:\)\{0,1\}${QEMU_VERSION}[+.~-].*\)/\1/p" | sort -u -rV)
	[ -n "$_list" ] ||
		die "no source package of QEMU $QEMU_VERSION can be had from the package mirror (no network, or not Debian 12)"
	_part=$DL/qemu.part
	for _v in $_list; do
		rm -rf "$_part"
		mkdir -p "$_part" || die "cannot make $_part"
		say "fetch QEMU ${_v#*:} (25 MB) into build/dl"
		if (cd "$_part" && apt_do apt-get source --download-only "qemu=$_v") >"$APT/log" 2>&1; then
			_f=$(cd "$_part" && ls ./*.dsc 2>/dev/null) && _f=${_f#./}
			(cd "$_part" && sha256sum -- *) >"$DL/qemu.sha256.part" &&
				mv "$_part"/* "$DL/" &&
				mv "$DL/qemu.sha256.part" "$DL/$_f.sha256" ||
				die "cannot write in $DL (disk full?)"
			rm -rf "$_part"
			echo "$DL/$_f"
			return
		fi
		if grep -q 'No space left' "$APT/log"; then
			rm -rf "$_part"
			die "no space left for the download in $DL"
		fi
		say "QEMU ${_v#*:} is listed but cannot be fetched; taking the next older one"
	done
	rm -rf "$_part"
	die "no source package of QEMU $QEMU_VERSION could be fetched, see $APT/log"
}

# quilt_src ARGS: in the tree, with its copy of the stack, whatever the user's ~/.quiltrc says
quilt_src()
{
	(cd "$SRC" && QUILT_PATCHES=patches QUILT_SERIES=series QUILT_PC=.pc \
		quilt --quiltrc - "$@") >"$BUILD/qemu-quilt.log" 2>&1
}

unpack()
{
	_dsc=$(fetched) || _dsc=$(fetch) || exit 1
	_v=${_dsc##*/qemu_}
	say "unpack QEMU ${_v%.dsc} to build/qemu-src (240 MB)"
	rm -rf "$SRC" "$SRC.part"
	# the signature needs Debian's keyring; that the files are Debian's, apt has checked
	dpkg-source --no-copy --no-check -x "$_dsc" "$SRC.part" >"$BUILD/qemu-unpack.log" 2>&1 || {
		rm -rf "$SRC.part"
		die "cannot unpack $_dsc (disk full?), see $BUILD/qemu-unpack.log"
	}
	# Debian's patches are part of the tree: ours are the only ones that quilt knows
	rm -rf "$SRC.part/.pc" "$SRC.part/debian/patches"
	mv "$SRC.part" "$SRC" || die "cannot make $SRC"
}

push()
{
	if [ -s "$SRC/.pc/applied-patches" ]; then
		if cmp -s "$SRC/series" "$STACK/series" && [ ! -s "$SRC/.pushing" ] &&
		   (for _p in $(stack_patches); do
			cmp -s "$SRC/patches/$_p" "$STACK/patches/$_p" || exit 1
		   done) && stack_patches | cmp -s - "$SRC/.pc/applied-patches"; then
			return
		fi
		say "build/qemu-src: the stack changed"
		quilt_src pop -a ||
			die "build/qemu-src: has edits that are in no patch; 'quilt refresh' there, or delete it"
	fi
	rm -rf "$SRC/patches" "$SRC/series"
	cp -R "$STACK/patches" "$SRC/patches" && cp "$STACK/series" "$SRC/series" ||
		die "cannot write in $SRC"
	echo 1 >"$SRC/.pushing"
	quilt_src push -a --fuzz=0 || {
		_l=$(grep -m 1 'FAILED\|does not apply\|already exists\|No space left' "$BUILD/qemu-quilt.log")
		die "build/qemu-src: $(sed -n 's/^Applying patch //p' "$BUILD/qemu-quilt.log" | tail -n 1): ${_l:-cannot be pushed}"
	}
	rm -f "$SRC/.pushing"
	say "build/qemu-src: $(stack_patches | wc -l) patches pushed"
}

[ -f "$SRC/configure" ] || unpack
push

_start=$(now)
_cc=gcc
command -v ccache >/dev/null 2>&1 && _cc="ccache gcc"
# shellcheck disable=SC2086
if [ ! -f "$OUT/build.ninja" ] || [ "$(cat "$OUT/.options" 2>/dev/null)" != "$(echo $OPTIONS)" ]; then
	say "configure QEMU"
	rm -rf "$OUT"
	mkdir -p "$OUT" || die "cannot make $OUT"
	(cd "$OUT" && "$SRC/configure" --cc="$_cc" --host-cc="$_cc" $OPTIONS 9>&-) >"$OUT/configure.log" 2>&1 || {
		grep -m 3 'ERROR' "$OUT/configure.log" >&2 || tail -n 5 "$OUT/configure.log" >&2
		die "QEMU: configuration failed, see $OUT/configure.log"
	}
	echo $OPTIONS >"$OUT/.options"
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
		say "  $(sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 of \2 steps/p' "$OUT/build.log" | tail -n 1), $(since "$_start")"
	fi
done
if ! wait $_pid; then
	grep -n -i -m 10 'error[: ]\|undefined reference\|No space left' "$OUT/build.log" >&2 ||
		tail -n 15 "$OUT/build.log" >&2
	die "QEMU: the build failed, see $OUT/build.log"
fi
for _b in $_targets; do
	[ -x "$OUT/$_b" ] || die "QEMU: $OUT/$_b was not made"
done
stack_sum >"$OUT/.stack" || die "cannot write in $OUT"
say "built QEMU in $(since "$_start")"
echo "$OUT"
