# SPDX-License-Identifier: GPL-2.0
# What the scripts in tests/vm share: where things are, and how to complain.
#
# Everything made here lives below build/, which can be removed at any time:
#
#   build/KERNEL/kernel/   the kernel's packages, unpacked (never installed); a layer of the guest's root
#   build/KERNEL/kver      the kernel's release name, as `uname -r` says it in the guest
#   build/KERNEL/kdir      where to build a module for it (in the release's folder, if it has one)
#   build/KERNEL/vmlinux, initrd   what qemu boots
#   build/KERNEL/obj/      the product, built for that kernel
#   build/KERNEL/programs/ the tests' own programs and modules
#   build/KERNEL/stage/    the product, installed (DESTDIR); the top layer of the guest's root
#   build/trixie/          Debian 13 as a folder: the guest's root for 6.12, 6.12-rt, 7.2 and newest
#   build/tmp/             one folder for each guest that runs now
#
#   build/debug/linux/    the source of the debug kernel, and what it was built to
#
# KERNEL is 6.1, 6.12, these with PREEMPT_RT (6.1-rt, 6.12-rt), 7.2, newest or debug (6.1, built with everything that
# watches).

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck disable=SC2034
vm=$top/tests/vm
build=$top/build
all_kernels="6.1 6.1-rt 6.12 6.12-rt 7.2 newest debug"

die() {
	echo "${0##*/}: $*" >&2
	exit 125
}

say() {
	echo "${0##*/}: $*" >&2
}

# The folder which is the root of KERNEL's release; nothing for the host's own release.
release_of() {
	case $1 in
	6.1 | 6.1-rt | debug) ;;
	6.12 | 6.12-rt | 7.2 | newest) echo "$build/trixie" ;;
	*) die "no kernel \"$1\"; there are: $all_kernels" ;;
	esac
}

need_root() {
	[ "$(id -u)" = 0 ] || die "must run as root; try: sudo $0 $*"
}

# lock FILE: let only one process at a time prepare something; it is let go when the shell ends.
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

# newest VERSION: in what `apt-cache show` says about linux-image-amd64 or the like (on standard input, newest version
# first), find the real package for VERSION; any is, for "newest".
newest() {
	awk -v version="$1." '
		/^Version: / { fits = version == "newest." || index($2, version) == 1 }
		/^Depends: / && match($0, /linux-image-[0-9][^ ,]*/) { package = substr($0, RSTART, RLENGTH) }
		/^$/ { if (fits && package && !done++) print package; fits = 0; package = "" }
		END { if (fits && package && !done) print package }'
}

# kdir_of KERNEL: where to build a module for it
kdir_of() {
	local kdir
	kdir=$(readlink "$build/$1/kdir")
	case $kdir in
	/*) echo "$kdir" ;;
	*) echo "$build/$1/$kdir" ;;
	esac
}
