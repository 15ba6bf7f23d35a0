# shellcheck shell=sh
# Functions that demo and test share: they install missing packages, and set up a build. Source this file in the project's folder.

say() {
	printf '%s\n' "$*"
}

fail() {
	say "$*" >&2
	exit 1
}

# as_root COMMAND...: runs a command as root. The command keeps its input and output, because sudo
# may need them to ask for a password. sudo asks on the terminal even if the input is redirected;
# without /dev/tty, as after 'su -c', it reads the password from the input if the input is a
# terminal.
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

# have THING: checks whether a command, or a file with a full path, exists.
have() {
	case $1 in
	/*) [ -e "$1" ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# missing_of LIST: LIST has lines "THING PACKAGE". Prints the packages whose THING does not exist,
# on one line.
missing_of() {
	printf '%s\n' "$1" | while read -r thing package; do
		[ -z "$thing" ] || have "$thing" || printf '%s ' "$package"
	done
}

# install_packages NEEDED WANTED LOG: installs two lists of packages, and writes the output of apt
# into the file LOG. All packages are installed by one command, so that a password is asked for only
# once.
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

# install_missing NEEDED WANTED: installs the missing packages of two lists. The packages of the
# second list are optional.
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

# shellcheck disable=SC2034 # the scripts that source this file use the variables
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

# set_up FOLDER OPTION...: sets up a new or existing build folder with these options. If ccache is
# installed, the build uses it.
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
