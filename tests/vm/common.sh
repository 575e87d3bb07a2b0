# SPDX-License-Identifier: GPL-2.0
# Paths, names and error messages for the scripts in tests/vm, which source this file.
#
# All files made by these scripts are below build/, which can be removed at any time:
#
#   build/KERNEL/kernel/   the kernel's packages, unpacked (never installed); a layer of the guest's root
#   build/KERNEL/kver      the kernel's release name, as `uname -r` says it in the guest
#   build/KERNEL/kdir      a link to the directory in which to build a module for this kernel
#   build/KERNEL/vmlinux, initrd   the kernel and the initramfs that qemu boots
#   build/KERNEL/obj/      the product, built for that kernel
#   build/KERNEL/programs/ the tests' own programs and modules
#   build/KERNEL/stage/    the product, installed (DESTDIR); the top layer of the guest's root
#   build/seconds.KERNEL   how long each system test took when it last passed; the slowest ones run first
#   build/trixie/          Debian 13 as a folder: the guest's root for 6.12, 6.12-rt, 7.2 and newest
#   build/trixie-arm64/    Debian 13 for arm64 as a folder: the root for 6.12-arm64, 6.12-arm64-16k and newest-arm64
#   build/sid/             Debian's unstable release as a folder: the root for newest-sid
#   build/bookworm/        Debian 12 as a folder: the root for the others; on a Debian 12 machine this is /
#   build/tmp/             one folder for each running guest
#
#   build/debug/linux/    the source of the debug kernel, and its build directory
#
# KERNEL is one of these:
#
#   6.1, 6.12, 7.2, newest        Debian's kernels
#   6.1-rt, 6.12-rt               the same with PREEMPT_RT
#   6.12-arm64, newest-arm64      the same for arm64
#   6.12-arm64-16k                6.12 for arm64 with pages of 16 KB
#   newest-sid                    the newest kernel with the user space of Debian's unstable release
#   debug                         6.1, built with all debug options

arguments=("$@")
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck disable=SC2034
vm=$top/tests/vm
build=$top/build
all_kernels="6.1 6.1-rt 6.12 6.12-rt 6.12-arm64 6.12-arm64-16k 7.2 newest newest-arm64 newest-sid debug"

die() {
	echo "${0##*/}: $*" >&2
	exit 125
}

say() {
	echo "${0##*/}: $*" >&2
}

# release_of KERNEL: print the code name of the Debian release whose user space the guest has with KERNEL
release_of() {
	case $1 in
	6.1 | 6.1-rt | debug) echo bookworm ;;
	6.12 | 6.12-rt | 7.2 | newest) echo trixie ;;
	newest-sid) echo sid ;;
	6.12-arm64 | 6.12-arm64-16k | newest-arm64) echo trixie-arm64 ;;
	*) die "no kernel \"$1\"; there are: $all_kernels" ;;
	esac
}

# root_of RELEASE: print the directory with the files of RELEASE: / if this machine has RELEASE, or a folder
# in build/
root_of() {
	if [ "$1" = bookworm ] && grep -qsx "VERSION_CODENAME=$1" /etc/os-release; then
		echo /
	else
		echo "$build/$1"
	fi
}

# arch_of NAME: print Debian's name of the architecture of NAME, which is a kernel or a release
arch_of() {
	case $1 in
	*-arm64 | *-arm64-16k) echo arm64 ;;
	*) echo amd64 ;;
	esac
}

# linux_of KERNEL: print the short name of KERNEL, which tests use. It lacks the parts about the user space,
# the architecture and the size of pages.
linux_of() {
	local kernel=${1%-sid}
	kernel=${kernel%-16k}
	echo "${kernel%-arm64}"
}

# triplet_of NAME: print how the paths of libraries name the architecture of NAME, which is a kernel or a
# release
triplet_of() {
	case $(arch_of "$1") in
	arm64) echo aarch64-linux-gnu ;;
	*) echo x86_64-linux-gnu ;;
	esac
}

# builder_of RELEASE: print the name of the folder with the compilers for RELEASE. If RELEASE is for another
# architecture, its programs cannot run here. Then this is the folder of the same release for this machine,
# with a cross compiler.
builder_of() {
	echo "${1%-arm64}"
}

# cross_of RELEASE: print the arguments of make that cross-build for RELEASE, or nothing if this machine has
# its architecture
cross_of() {
	[ "$(arch_of "$1")" = arm64 ] || return 0
	echo "CC=$vm/cross-gcc PKG_CONFIG=$vm/cross-pkg-config PLUGIN_DIR=/usr/lib/$(triplet_of "$1")/traceevent/plugins"
}

# apt_of RELEASE TOOL ARGS…: run apt-get or apt-cache with the package lists of RELEASE
apt_of() {
	local release=$1 tool=$2 root
	shift 2
	root=$(root_of "$release")
	if [ "$(arch_of "$release")" = amd64 ]; then
		"$vm/enter" "$release" "$tool" "$@"
	else
		"$tool" -o Dir="$root" -o Dir::State::status="$root/var/lib/dpkg/status" \
			-o Dir::Etc::trustedparts=/etc/apt/trusted.gpg.d \
			-o APT::Architecture="$(arch_of "$release")" -o APT::Architectures::="$(arch_of "$release")" "$@"
	fi
}

# mirror: print the Debian mirror: DEBIAN_MIRROR from the environment, or the mirror in this machine's sources
# for apt. On other distributions, print nothing; mmdebstrap then uses its default.
mirror() {
	if [ -n "${DEBIAN_MIRROR:-}" ]; then
		echo "$DEBIAN_MIRROR"
		return
	fi
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | awk 'NR == 1'
}

# need_root: make sure that the script runs as root. For another user, start the script again with sudo, which
# may ask for a password.
need_root() {
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || die "must run as root"
		exec sudo --preserve-env=CI,GUESTS,ACCEL,DEBIAN_MIRROR,PARTS,SHORT,ROUNDS,BATCHES -- "$0" "${arguments[@]}"
	fi
	# Give build/ to the user who called sudo, so that this user can later create files there without sudo.
	[ -e "$build" ] || install -d -o "${SUDO_UID:-0}" -g "${SUDO_GID:-0}" "$build"
}

# lock FILE: wait until no other process has locked FILE, and lock it. The lock is released when the shell
# exits.
lock() {
	mkdir -p "$(dirname "$1")"
	exec 9>"$1"
	flock -n 9 && return
	say "waiting for another run to finish its work in $(dirname "$1")"
	flock 9
}

unlock() {
	exec 9>&-
}

# newest VERSION: print the name of the newest kernel package with this version, or with any version if
# VERSION is "newest". Standard input is the output of `apt-cache show` for a package such as
# linux-image-amd64, newest version first.
newest() {
	awk -v version="$1." '
		/^Version: / { fits = version == "newest." || index($2, version) == 1 }
		/^Depends: / && match($0, /linux-image-[0-9][^ ,]*/) { package = substr($0, RSTART, RLENGTH) }
		/^$/ { if (fits && package && !done++) print package; fits = 0; package = "" }
		END { if (fits && package && !done) print package }'
}

# kdir_of KERNEL: print the directory in which to build a module for KERNEL
kdir_of() {
	local kdir
	kdir=$(readlink "$build/$1/kdir")
	case $kdir in
	/*) echo "$kdir" ;;
	*) echo "$build/$1/$kdir" ;;
	esac
}
