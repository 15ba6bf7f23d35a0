# shellcheck shell=sh
# What demo and test share: getting what is missing, and setting up a build. Sourced from the project's folder.

say() {
	printf '%s\n' "$*"
}

fail() {
	say "$*" >&2
	exit 1
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@"
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

apt() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null >>"$log" 2>&1
}

# install NEEDED WANTED: installs what is missing of two lists; without the second one can do.
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
	log=$(mktemp)
	apt update || say "the lists of packages could not be renewed"
	# shellcheck disable=SC2086 # a list of words
	[ -z "$needed" ] || apt install --no-install-recommends $needed || {
		tail -n 20 "$log" >&2
		fail "cannot install $needed"
	}
	for package in $wanted; do
		apt install --no-install-recommends "$package" || say "cannot install $package; going on without"
	done
	rm -f "$log"
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
/usr/include/json-c/json.h libjson-c-dev
/usr/include/libdeflate.h libdeflate-dev
/usr/include/zlib.h zlib1g-dev
/usr/include/zstd.h libzstd-dev
'

# set_up FOLDER OPTION...: a build folder with these options, new or not.
set_up() {
	folder=$1
	shift
	if [ -f "$folder/build.ninja" ] && meson setup --reconfigure "$folder" "$@"; then
		return 0
	fi
	rm -rf "$folder"
	meson setup "$folder" "$@"
}
