# shellcheck shell=sh
# Functions that demo and test share: install missing packages, and set up a build. Sourced from the project's folder.

say() {
	printf '%s\n' "$*"
}

fail() {
	say "$*" >&2
	exit 1
}

# as_root COMMAND...: runs it as root. Input and output are left to sudo, which may need them to ask for a password: it asks
# on the terminal, wherever the input comes from, or if told so ('su -c' takes the terminal away) on the input.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif ! have sudo; then
		say "this needs root, and there is no sudo" >&2
		return 1
	elif (: </dev/tty) 2>/dev/null; then
		sudo "$@"
	elif [ -t 0 ]; then
		sudo -S "$@"
	else
		sudo -n "$@"
	fi
}

# have THING: whether a command, or a file with a full path, is there.
have() {
	case $1 in
	/*) [ -e "$1" ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# missing_of LIST: the packages in "thing package" lines whose thing is not there, on one line.
missing_of() {
	printf '%s\n' "$1" | while read -r thing package; do
		[ -z "$thing" ] || have "$thing" || printf '%s ' "$package"
	done
}

# install_packages NEEDED WANTED LOG: installs packages, each a list of words, and writes what apt says into a file. All in one go, so
# that a password is asked for once.
install_packages() {
	# shellcheck disable=SC2016 # for the inner shell
	as_root sh -c '
		exec </dev/null >"$3" 2>&1
		apt() {
			DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@"
		}
		apt update || echo "the lists of packages could not be renewed"
		[ -z "$1" ] || apt install --no-install-recommends $1
		for package in $2; do
			apt install --no-install-recommends "$package"
		done' sh "$1" "$2" "$3"
}

# install_missing NEEDED WANTED: installs the missing packages of two lists; those of the second are optional.
install_missing() {
	needed=$(missing_of "$1")
	wanted=$(missing_of "$2")
	[ -n "$needed$wanted" ] || return 0
	have apt-get || {
		[ -z "$needed" ] || fail "missing: $needed(Debian's names); install that and run this again"
		say "missing: $wanted(Debian's names); going on without"
		return 0
	}
	say "Installing: $needed$wanted"
	apt_log=$(mktemp -d)
	: >"$apt_log/log"
	install_packages "$needed" "$wanted" "$apt_log/log" || :
	needed=$(missing_of "$1")
	wanted=$(missing_of "$2")
	[ -z "$needed" ] || tail -n 20 "$apt_log/log" >&2
	rm -rf "$apt_log"
	[ -z "$needed" ] || fail "cannot install: $needed
Install that as root with apt-get, and run this again."
	[ -z "$wanted" ] || say "cannot install: $wanted(going on without)"
}

# shellcheck disable=SC2034 # for those who source this
to_build='
gcc gcc
/usr/include/stdio.h libc6-dev
meson meson
ninja ninja-build
pkg-config pkg-config
/usr/include/uthash.h uthash-dev
/usr/include/xxhash.h libxxhash-dev
/usr/include/expat.h libexpat1-dev
/usr/include/yajl/yajl_parse.h libyajl-dev
/usr/include/libdeflate.h libdeflate-dev
/usr/include/zlib.h zlib1g-dev
/usr/include/zstd.h libzstd-dev
/usr/include/elfutils/libdw.h libdw-dev
/usr/include/libiberty/demangle.h libiberty-dev
/usr/include/lzma.h liblzma-dev
'

# set_up FOLDER OPTION...: a build folder with these options, new or not, compiled with ccache if it is installed.
set_up() {
	folder=$1
	shift
	# Meson finds ccache by itself only if CC is not set.
	[ -z "${CC-}" ] || ! have ccache || CC="ccache $CC"
	if [ -f "$folder/build.ninja" ] && meson setup --reconfigure "$folder" "$@"; then
		return 0
	fi
	rm -rf "$folder"
	meson setup "$folder" "$@"
}
