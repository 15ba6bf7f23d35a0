# shellcheck shell=sh
# Functions and lists that elsewhere and release share: they get the libraries of another machine from Debian's packages, and write
# the settings that meson needs for this machine. Source this file in the project's folder, after lib.sh.

# Packages that are needed to build the program for the other machine.
libraries='libc6-dev libexpat1-dev libyajl-dev libdw-dev zlib1g-dev libzstd-dev libdeflate-dev libiberty-dev liblzma-dev libbz2-dev
libcmocka-dev uthash-dev libxxhash-dev'

# list_package DEB: prints the files of a package, one on a line, as "package version /path".
list_package() {
	# shellcheck disable=SC2016 # for dpkg-deb
	named=$(dpkg-deb --show --showformat='${Package} ${Version}' "$1")
	dpkg-deb --fsys-tarfile "$1" | tar -t | sed "s|^\.|$named |"
}

# unpack_packages ARCHITECTURE FOLDER PACKAGE...: unpacks packages and their dependencies into
# FOLDER/root, and lists their files in FOLDER/files. apt keeps its lists for this architecture in
# FOLDER/apt. Nothing is installed.
unpack_packages() {
	architecture=$1
	folder=$2
	shift 2
	mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/root" &&
		: >"$folder/apt/status" && : >"$folder/files" &&
		cat >"$folder/apt/conf" <<-END || return 1
			APT::Architecture "$architecture";
			#clear APT::Architectures;
			APT::Architectures { "$architecture"; };
			Dir::State "$folder/apt";
			Dir::State::status "$folder/apt/status";
			Dir::Cache "$folder/apt/cache";
		END
	APT_CONFIG=$folder/apt/conf apt-get -q update ||
		say "the lists of packages could not be renewed"
	APT_CONFIG=$folder/apt/conf apt-get -q -y --no-install-recommends --download-only install "$@" &&
		for package in "$folder"/apt/cache/archives/*.deb; do
			dpkg-deb -x "$package" "$folder/root" || return 1
			list_package "$package" >>"$folder/files"
		done
	find "$folder/root" -type l | while read -r link; do
		target=$(readlink "$link")
		case $target in
		"$folder"/*) ;;
		/*) ln -sfn "$folder/root$target" "$link" ;;
		esac
	done
}

# write_cross FILE ROOT: writes the settings that meson needs for the other machine. Programs of
# this machine find their libraries without these settings.
write_cross() {
	here=
	[ "$qemu" != - ] || here=", '-Wl,--dynamic-linker=$2/lib/ld-linux.so.2', '-Wl,--disable-new-dtags',
	'-Wl,-rpath,$2/lib/$multiarch:$2/usr/lib/$multiarch'"
	cat >"$1" <<-END
		[binaries]
		c = '$compiler-gcc'
		ar = '$compiler-ar'
		strip = '$compiler-strip'
		pkgconfig = 'pkg-config'
		[built-in options]
		c_args = ['--sysroot=$2']
		c_link_args = ['--sysroot=$2'$here]
		[properties]
		sys_root = '$2'
		pkg_config_libdir = '$2/usr/lib/$multiarch/pkgconfig:$2/usr/share/pkgconfig'
		needs_exe_wrapper = false
		[host_machine]
		system = 'linux'
		cpu_family = '$family'
		cpu = '$family'
		endian = '$order'
	END
}

# unpack_for ARCHITECTURE FOLDER: unpacks the libraries that inferno needs, unless FOLDER has them
# already.
unpack_for() {
	[ ! -f "$2/done" ] || return 0
	mkdir -p "$2"
	say "Unpacking Debian's libraries for $1"
	# shellcheck disable=SC2086 # words
	unpack_packages "$1" "$2" $libraries >"$2/log" 2>&1 || {
		tail -n 20 "$2/log" >&2
		fail "cannot unpack them"
	}
	rm -rf "$2/apt"
	: >"$2/done"
}
