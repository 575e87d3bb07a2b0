# SPDX-License-Identifier: GPL-2.0
# Sourced by the measurements after lib.sh: their network and programs.

# direct_link: make the network of three_namespaces, and a direct link from A to 10.7.0.2 in B.
direct_link() {
	three_namespaces
	ip link add da netns A type veth peer name db netns B
	ip -n A address add 10.7.0.1/24 dev da
	ip -n B address add 10.7.0.2/24 dev db
	ip -n A link set da up
	ip -n B link set db up
	wait_for "the direct link" in_a ping -c 1 -W 1 10.7.0.2
}

# programs_of_plugin: copy to memory the programs that a measurement with a plugin of QEMU runs. Otherwise, reading them
# from the host would be measured, too.
programs_of_plugin() {
	cp "$(made_on_host work)" /tmp/work
	cp "$(made_on_host plugin_command)" /tmp/command
}
