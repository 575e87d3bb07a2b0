# SPDX-License-Identifier: GPL-2.0
# The parts build themselves; this hands them the same few words:
#
#   O        where everything is made, a directory for each part; the source tree stays clean (build/host)
#   KDIR     what the module is built against                                         (the running kernel's)
#   PREFIX   where to install                                                         (/usr/local)
#   DESTDIR  a directory to install below, as packagers do
#   TRACE_CMD  the real trace-cmd, which the dispatcher stands before                   (looked for)
#   PARTS    which parts                                                               (all)

O ?= build/host
KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
DESTDIR ?=
TRACE_CMD ?=
PARTS ?= kmod tracecmd report plugin kshark Documentation

include lib/install.mk

parts := $(patsubst %/Makefile,%,$(wildcard $(addsuffix /Makefile,$(PARTS))))
words := KDIR=$(KDIR) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) TRACE_CMD=$(TRACE_CMD) $(if $(ZSHDIR),ZSHDIR=$(ZSHDIR))

.DEFAULT_GOAL := all

#: all           build the module, the subcommands and the plugins, for the running kernel
#: install       install them (PREFIX, DESTDIR)
#: uninstall     remove what install installed
all install uninstall: $(parts)

# The directories that a system has anyway stay.
uninstall:
ifeq ($(filter / /usr /usr/local /opt,$(PREFIX)),)
	$(call remove_if_empty,$(addprefix $(DESTDIR)$(PREFIX),/bin /lib /share/man /share /))
endif

# What is missing is said before anything is built.
ifneq ($(filter-out uninstall,$(or $(MAKECMDGOALS),all)),)
$(parts): preflight
endif

preflight:
	@KDIR=$(KDIR) lib/preflight $(parts)

$(parts):
	$(MAKE) -C $@ O=$(abspath $(O))/$@ $(words) $(filter all install uninstall,$(MAKECMDGOALS))

#: demo          record a packet's call graph in a guest, and show it
demo:
	examples/run-demo

#: check         unit tests; system tests in a guest with Linux 6.1; the main job on Debian's newest
check:
	tests/check quick

#: check-matrix  all tests on 6.1, 6.12 and the newest
check-matrix:
	tests/check matrix

#: check-debug   all system tests on a kernel with KASAN, lockdep and the like (built once: 15 minutes)
check-debug:
	tests/run -k debug

#: check-selftests  the kernel's own tests of networking, bare and while everything is recorded (an hour)
check-selftests:
	tests/kselftest/run

#: bench         what it costs, in a guest that counts instructions (Documentation/performance.md)
bench:
	tests/bench/run

#: lint          what a machine can say about the source
lint:
	tests/lint

#: doc           the man pages
doc:
	$(MAKE) -C Documentation O=$(abspath $(O))/Documentation $(words) all

#: deb           Debian packages, in build/deb
deb:
	debian/build

#: check-deb     install, upgrade and purge them in a clean Debian (SUITE=bookworm or trixie)
check-deb:
	debian/check $(SUITE)

#: check-upstream  trace-cmd with our patch for it: that it builds, and does what the dispatcher does
check-upstream:
	contrib/check $(SOURCE)

#: clean         remove what was built; downloaded kernels and releases stay (rm -r build is for those)
clean:
	rm -rf build/host build/unit $(wildcard build/*/obj build/*/stage build/*/stage.stamp)

#: help          this list
help:
	@sed -n 's/^#: /  /p' $(firstword $(MAKEFILE_LIST))

.PHONY: all install uninstall demo check check-deb check-upstream deb check-matrix check-debug check-selftests bench lint doc clean help preflight $(parts)
