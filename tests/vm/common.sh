# SPDX-License-Identifier: GPL-2.0
# Shared by the scripts in tests/vm: paths, and error messages.
#
# All files made here are below build/, which can be removed at any time:
#
#   build/KERNEL/kernel/   the kernel's packages, unpacked (never installed); a layer of the guest's root
#   build/KERNEL/kver      the kernel's release name, as `uname -r` says it in the guest
#   build/KERNEL/kdir      where to build a module for it (in the release's folder, if it has one)
#   build/KERNEL/vmlinux, initrd   what qemu boots
#   build/KERNEL/obj/      the product, built for that kernel
#   build/KERNEL/programs/ the tests' own programs and modules
#   build/KERNEL/stage/    the product, installed (DESTDIR); the top layer of the guest's root
#   build/seconds.KERNEL   how long each system test took when it last passed; the slowest ones run first
#   build/trixie/          Debian 13 as a folder: the guest's root for 6.12, 6.12-rt, 7.2 and newest
#   build/trixie-arm64/    Debian 13 for arm64 as a folder: the root for 6.12-arm64 and newest-arm64
#   build/sid/             Debian's unstable release as a folder: the root for newest-sid
#   build/bookworm/        Debian 12 as a folder: the root for the others; on a Debian 12 machine this is /
#   build/tmp/             one folder for each running guest
#
#   build/debug/linux/    the source of the debug kernel, and its build directory
#
# KERNEL is 6.1, 6.12, these with PREEMPT_RT (6.1-rt, 6.12-rt), 7.2, newest, these for arm64 (6.12-arm64,
# newest-arm64), newest-sid (newest with the user space of Debian's unstable release) or debug (6.1, built with all
# debug options).

arguments=("$@")
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck disable=SC2034
vm=$top/tests/vm
build=$top/build
all_kernels="6.1 6.1-rt 6.12 6.12-rt 6.12-arm64 7.2 newest newest-arm64 newest-sid debug"

die() {
	echo "${0##*/}: $*" >&2
	exit 125
}

say() {
	echo "${0##*/}: $*" >&2
}

# release_of KERNEL: print the Debian release that it runs with, by code name
release_of() {
	case $1 in
	6.1 | 6.1-rt | debug) echo bookworm ;;
	6.12 | 6.12-rt | 7.2 | newest) echo trixie ;;
	newest-sid) echo sid ;;
	6.12-arm64 | newest-arm64) echo trixie-arm64 ;;
	*) die "no kernel \"$1\"; there are: $all_kernels" ;;
	esac
}

# root_of RELEASE: print the directory of its files: / on this release, or a folder
root_of() {
	if [ "$1" = bookworm ] && grep -qsx "VERSION_CODENAME=$1" /etc/os-release; then
		echo /
	else
		echo "$build/$1"
	fi
}

# arch_of NAME: print the Debian architecture of a kernel or a release
arch_of() {
	case $1 in
	*-arm64) echo arm64 ;;
	*) echo amd64 ;;
	esac
}

# linux_of KERNEL: print its name without the user space and the architecture. Tests know kernels by this name.
linux_of() {
	local kernel=${1%-sid}
	echo "${kernel%-arm64}"
}

# triplet_of NAME: print the name of that architecture in the paths of libraries
triplet_of() {
	case $(arch_of "$1") in
	arm64) echo aarch64-linux-gnu ;;
	*) echo x86_64-linux-gnu ;;
	esac
}

# builder_of RELEASE: print the release with the compilers for RELEASE. Programs of another architecture do not run
# on this machine, so a cross compiler builds for them.
builder_of() {
	echo "${1%-arm64}"
}

# cross_of RELEASE: print the arguments of make that cross-build for RELEASE, if its architecture is another one
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

# mirror: print the Debian mirror of this machine, or DEBIAN_MIRROR from the environment. Prints nothing on other
# distributions; mmdebstrap has a default.
mirror() {
	if [ -n "${DEBIAN_MIRROR:-}" ]; then
		echo "$DEBIAN_MIRROR"
		return
	fi
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | awk 'NR == 1'
}

# The script that sources this file may go on as root. For other users it is started again with sudo, which may
# ask for a password.
need_root() {
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || die "must run as root"
		exec sudo --preserve-env=CI,GUESTS,ACCEL,DEBIAN_MIRROR,PARTS,SHORT,ROUNDS,BATCHES -- "$0" "${arguments[@]}"
	fi
	# The user later needs to create files in build/ without sudo.
	[ -e "$build" ] || install -d -o "${SUDO_UID:-0}" -g "${SUDO_GID:-0}" "$build"
}

# lock FILE: let only one process at a time prepare something. The lock ends with the shell.
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

# newest VERSION: print the package of a kernel of this version, or of the newest one if VERSION is "newest". Standard
# input is the output of `apt-cache show` for a package such as linux-image-amd64, newest version first.
newest() {
	awk -v version="$1." '
		/^Version: / { fits = version == "newest." || index($2, version) == 1 }
		/^Depends: / && match($0, /linux-image-[0-9][^ ,]*/) { package = substr($0, RSTART, RLENGTH) }
		/^$/ { if (fits && package && !done++) print package; fits = 0; package = "" }
		END { if (fits && package && !done) print package }'
}

# kdir_of KERNEL: print the directory in which to build a module for it
kdir_of() {
	local kdir
	kdir=$(readlink "$build/$1/kdir")
	case $kdir in
	/*) echo "$kdir" ;;
	*) echo "$build/$1/$kdir" ;;
	esac
}
