#!/bin/sh
# Gets vanilla Linux 6.1 and prints where it is: a tarball under build/dl, or what LINUX= names.
#
# usage: scripts/fetch-linux.sh [VERSION]
#   VERSION  a point release such as 6.1.187; default: the newest that can be had
# environment:
#   LINUX  a tarball (.tar, .tar.xz, .tar.gz) or a kernel tree to take instead
#
# "Vanilla" is the upstream tarball of Debian's source package "linux". It is asked for through
# apt, with the package sources that this machine has already, but from an apt configuration of
# our own under build/: the machine's stays as it is. Apt checks what it fetched against Debian's
# signed checksums; ours are written beside the file and checked at each later use.
set -u
unset CDPATH
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib.sh"

DL=$BUILD/dl
APT=$BUILD/apt
_want=${1:-}

if [ -n "${LINUX:-}" ]; then
	if [ -d "$LINUX" ]; then
		_v=$(kernel_version "$LINUX") || die "LINUX=$LINUX: not a kernel tree"
	elif [ -f "$LINUX" ]; then
		case $LINUX in
		*.tar|*.tar.xz|*.tar.gz|*.tgz) ;;
		*) die "LINUX=$LINUX: neither a directory nor a .tar, .tar.xz or .tar.gz" ;;
		esac
		_v=
	else
		die "LINUX=$LINUX: no such file or directory"
	fi
	[ -z "$_v" ] || version_supported "$_v" ||
		die "LINUX=$LINUX is Linux $_v; the series is for 6.1.$MIN_SUBLEVEL and later 6.1.y"
	(cd "$(dirname "$LINUX")" && printf '%s/%s\n' "$(pwd)" "$(basename "$LINUX")")
	exit
fi

# good FILE: there, and the same as when apt had checked it
good()
{
	[ -s "$1" ] && [ -s "$1.sha256" ] &&
		[ "$(cut -d' ' -f1 "$1.sha256")" = "$(sha256sum <"$1" | cut -d' ' -f1)" ]
}

# versions on their own lines, newest first; argument: the same with "oldest last"
newest_first()
{
	sort -t. -k1,1nr -k2,2nr -k3,3nr
}

[ -z "$_want" ] || version_supported "$_want" ||
	die "Linux $_want: the series is for 6.1.$MIN_SUBLEVEL and later 6.1.y"
build_lock dl
mkdir -p "$DL" || die "cannot make $DL"

# What is there is used: asking the mirror costs time and needs a network.
for _v in $(ls "$DL" 2>/dev/null |
	sed -n 's/^linux_\([0-9.]*\)\.orig\.tar\.xz$/\1/p' | newest_first); do
	[ -z "$_want" ] || [ "$_want" = "$_v" ] || continue
	version_supported "$_v" || continue
	_f=$DL/linux_$_v.orig.tar.xz
	if good "$_f"; then
		echo "$_f"
		exit 0
	fi
	say "$_f is not what was downloaded: fetching it again"
	rm -f "$_f" "$_f.sha256"
done

need apt-get apt

# The machine's own package sources, as source-package lines; Debian's only.
sources()
{
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -n 's/^[ 	]*deb\(-src\)\{0,1\}[ 	]\{1,\}/deb-src /p'
}

deb822()
{
	for _s in /etc/apt/sources.list.d/*.sources; do
		[ -f "$_s" ] || continue
		# binary and source stanzas alike become source stanzas
		sed 's/^Types:.*/Types: deb-src/' "$_s"
		echo
	done
}

rm -rf "$APT/parts"
mkdir -p "$APT/parts" "$APT/lists/partial" "$APT/cache/archives/partial" ||
	die "cannot make $APT"
sources | sort -u >"$APT/parts/debian.list"
deb822 >"$APT/parts/debian.sources"
[ -s "$APT/parts/debian.list" ] || rm -f "$APT/parts/debian.list"
grep -q '^URIs:' "$APT/parts/debian.sources" || rm -f "$APT/parts/debian.sources"
[ -n "$(ls "$APT/parts")" ] ||
	die "apt knows no package sources here; give a kernel: LINUX=/path/to/linux-6.1.y.tar.xz"

apt_get()
{
	apt-get -q \
		-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$APT/parts" \
		-o Dir::State::Lists="$APT/lists" -o Dir::Cache="$APT/cache" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
		-o APT::Sandbox::User="$(id -un)" -o APT::Get::List-Cleanup=0 \
		-o Acquire::Retries=2 -o Acquire::Languages=none "$@" 9>&-
}
apt_cache()
{
	apt-cache \
		-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$APT/parts" \
		-o Dir::State::Lists="$APT/lists" -o Dir::Cache="$APT/cache" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@" 9>&-
}

say "ask the package mirror which Linux 6.1.y it has"
apt_get update >"$APT/log" 2>&1 || {
	say "(not all package sources could be read; going on with what apt has)"
}
# apt takes a mirror that does not answer lightly; we do not, when none does
if grep -q '^[EW]: Failed to fetch\|^[EW]: Some index files failed' "$APT/log" &&
   ! grep -q '^\(Get\|Hit\):' "$APT/log"; then
	die "the package mirror cannot be reached (no network?); give a kernel: LINUX=/path/to/linux-6.1.y.tar.xz"
fi

# "linux 6.1.187-1": package versions, newest first
_list=$(apt_cache showsrc --only-source linux 2>/dev/null |
	sed -n 's/^Version: \(6\.1\.[0-9]*\)-.*/&/p' | sed 's/^Version: //' |
	sort -t- -u | sort -t. -k3,3Vr)
[ -n "$_list" ] ||
	die "no Linux 6.1 source can be had from the package mirror (no network?); give one: LINUX=/path/to/linux-6.1.y.tar.xz"

_part=$DL/part
_tried=
for _pv in $_list; do
	_v=${_pv%%-*}
	[ -z "$_want" ] || [ "$_want" = "$_v" ] || continue
	version_supported "$_v" || continue
	# several package revisions share one upstream tarball
	case " $_tried " in *" $_v "*) continue ;; esac
	rm -rf "$_part"
	mkdir -p "$_part" || die "cannot make $_part"
	say "fetch Linux $_v (130 MB) into build/dl"
	if (cd "$_part" && apt_get source --download-only --tar-only "linux=$_pv" >"$APT/log" 2>&1) &&
	   [ -s "$_part/linux_$_v.orig.tar.xz" ]; then
		_f=$DL/linux_$_v.orig.tar.xz
		(cd "$_part" && sha256sum "linux_$_v.orig.tar.xz") >"$_f.sha256.new" &&
		mv "$_part/linux_$_v.orig.tar.xz" "$_f" &&
		mv "$_f.sha256.new" "$_f.sha256" || die "cannot write in $DL (disk full?)"
		rm -rf "$_part"
		echo "$_f"
		exit 0
	fi
	grep -q 'No space left' "$APT/log" && {
		rm -rf "$_part"
		die "no space left for the download in $DL"
	}
	_tried="$_tried $_v"
	say "Linux $_v is listed but cannot be fetched; taking the next older one"
done
rm -rf "$_part"
[ -z "$_want" ] || die "Linux $_want cannot be had from the package mirror"

# The binary package has Debian's patches on top: the series applies to it or tree.sh says no.
say "no upstream tarball to be had; trying the package linux-source-6.1"
mkdir -p "$_part"
sed 's/^deb-src /deb /' "$APT/parts/debian.list" >"$APT/parts/bin.list" 2>/dev/null || rm -f "$APT/parts/bin.list"
sed 's/^Types:.*/Types: deb/' "$APT/parts/debian.sources" >"$APT/parts/bin.sources" 2>/dev/null || rm -f "$APT/parts/bin.sources"
apt_get update >"$APT/log" 2>&1
if (cd "$_part" && apt_get download linux-source-6.1 >"$APT/log" 2>&1) &&
   dpkg-deb --fsys-tarfile "$_part"/linux-source-6.1_*.deb 2>/dev/null |
	tar -C "$_part" -xf - ./usr/src/linux-source-6.1.tar.xz 2>/dev/null; then
	_f=$DL/linux-source-6.1.tar.xz
	(cd "$_part/usr/src" && sha256sum linux-source-6.1.tar.xz) >"$_f.sha256.new" &&
	mv "$_part/usr/src/linux-source-6.1.tar.xz" "$_f" &&
	mv "$_f.sha256.new" "$_f.sha256" || die "cannot write in $DL (disk full?)"
	rm -rf "$_part"
	say "this is Debian's kernel source, with Debian's patches"
	echo "$_f"
	exit 0
fi
rm -rf "$_part"
die "no Linux 6.1 source could be fetched; give one: LINUX=/path/to/linux-6.1.y.tar.xz"
