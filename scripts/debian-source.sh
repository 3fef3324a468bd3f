# shellcheck shell=sh
# Debian's source packages, whole or their upstream tarballs: what fetch-*.sh share. Source it
# after lib.sh.
#
# They are asked for through apt, with the package sources that this machine has already, but from
# an apt configuration of our own under build/: the machine's stays as it is. Apt checks what it
# fetched against Debian's signed checksums; ours are written beside the file and checked at each
# later use.

DL=$BUILD/dl
APT=$BUILD/apt
# The end of a message that nothing can be had: what to do instead
SOURCE_HINT=

# good FILE: there, and the same as when apt had checked it; a .dsc with the files it names
good()
{
	[ -s "$1" ] && [ -s "$1.sha256" ] &&
		(cd "${1%/*}" && sha256sum --status -c "${1##*/}.sha256" 2>/dev/null)
}

# kept FILE: prints FILE when it is good, else throws it away
kept()
{
	if good "$1"; then
		echo "$1"
		return
	fi
	say "$1 is not what was downloaded: fetching it again"
	rm -f "$1" "$1.sha256"
	return 1
}

# keep DIR/FILE: puts what apt fetched there into build/dl and prints where it is
keep()
{
	_kf=$DL/${1##*/}
	(cd "${1%/*}" && sha256sum "${1##*/}") >"$_kf.sha256.new" &&
	mv "$1" "$_kf" &&
	mv "$_kf.sha256.new" "$_kf.sha256" || die "cannot write in $DL (disk full?)"
	echo "$_kf"
}

# keep_all DIR/FILE.dsc: as keep, with all that is there beside it
keep_all()
{
	_kf=$DL/${1##*/}
	(cd "${1%/*}" && sha256sum -- *) >"$_kf.sha256.new" &&
	mv "${1%/*}"/* "$DL/" &&
	mv "$_kf.sha256.new" "$_kf.sha256" || die "cannot write in $DL (disk full?)"
	echo "$_kf"
}

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

# apt_ask WHAT: gets the mirror's lists of source packages; WHAT is for the progress line
apt_ask()
{
	need apt-get apt
	rm -rf "$APT/parts"
	mkdir -p "$APT/parts" "$APT/lists/partial" "$APT/cache/archives/partial" ||
		die "cannot make $APT"
	sources | sort -u >"$APT/parts/debian.list"
	deb822 >"$APT/parts/debian.sources"
	[ -s "$APT/parts/debian.list" ] || rm -f "$APT/parts/debian.list"
	grep -q '^URIs:' "$APT/parts/debian.sources" || rm -f "$APT/parts/debian.sources"
	[ -n "$(ls "$APT/parts")" ] ||
		die "apt knows no package sources here; $SOURCE_HINT"
	say "ask the package mirror which $1 it has"
	apt_get update >"$APT/log" 2>&1 || {
		say "(not all package sources could be read; going on with what apt has)"
	}
	# apt takes a mirror that does not answer lightly; we do not, when none does
	if grep -q '^[EW]: Failed to fetch\|^[EW]: Some index files failed' "$APT/log" &&
	   ! grep -q '^\(Get\|Hit\):' "$APT/log"; then
		die "the package mirror cannot be reached (no network?); $SOURCE_HINT"
	fi
}

# source_versions PACKAGE: the versions of a source package that the mirror has, one a line
source_versions()
{
	apt_cache showsrc --only-source "$1" 2>/dev/null | sed -n 's/^Version: //p' | sort -u
}

# upstream_version PACKAGEVERSION: 1:1.35.0-4+deb12u1 is 1.35.0
upstream_version()
{
	_uv=${1#*:}
	echo "${_uv%-*}"
}

# apt_source [OPTION] PACKAGE=PACKAGEVERSION: into build/dl/part, that is $_part
apt_source()
{
	_part=$DL/part
	rm -rf "$_part"
	mkdir -p "$_part" || die "cannot make $_part"
	(cd "$_part" && apt_get source --download-only "$@" >"$APT/log" 2>&1)
}

# no_source: what to do when that did not bring what was wanted
no_source()
{
	rm -rf "$_part"
	! grep -q 'No space left' "$APT/log" || die "no space left for the download in $DL"
	return 1
}

# fetch_source PACKAGE PACKAGEVERSION: its upstream tarball into build/dl; prints the file.
# Fails when it is listed but cannot be had.
fetch_source()
{
	if apt_source --tar-only "$1=$2"; then
		for _f in "$_part/$1_$(upstream_version "$2")".orig.tar.*; do
			case $_f in
			*.asc) continue ;;
			esac
			[ -s "$_f" ] || continue
			keep "$_f"
			rm -rf "$_part"
			return 0
		done
	fi
	no_source
}

# fetch_package PACKAGE PACKAGEVERSION: all its files into build/dl; prints the .dsc.
# Fails as fetch_source does.
fetch_package()
{
	if apt_source "$1=$2"; then
		for _f in "$_part/$1"_*.dsc; do
			[ -s "$_f" ] || continue
			keep_all "$_f"
			rm -rf "$_part"
			return 0
		done
	fi
	no_source
}
