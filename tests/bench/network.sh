# SPDX-License-Identifier: GPL-2.0
# The network and the programs of the measurements. A measurement sources this file after lib.sh.

# direct_link: make the network of three_namespaces(), and a direct link from A to B, where B has the address
# 10.7.0.2.
direct_link() {
	three_namespaces
	ip link add da netns A type veth peer name db netns B
	ip -n A address add 10.7.0.1/24 dev da
	ip -n B address add 10.7.0.2/24 dev db
	ip -n A link set da up
	ip -n B link set db up
	wait_for "the direct link" in_a ping -c 1 -W 1 10.7.0.2
}

# programs_of_plugin: copy the programs that a measurement with a QEMU plugin runs to the guest's memory.
# Otherwise, the measurement would include reading them from the host.
programs_of_plugin() {
	cp "$(made_on_host work)" /tmp/work
	cp "$(made_on_host plugin_command)" /tmp/command
}
