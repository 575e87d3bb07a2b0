# SPDX-License-Identifier: GPL-2.0
# another-link.sh - more links between the namespaces of two_namespaces

# another_link DEVICE-A DEVICE-B NET: make another link between A and B:
#
# Network: A (10.9.0.1) va --- vb (10.9.0.2) B
#          A (10.NET.0.1) DEVICE-A --- DEVICE-B (10.NET.0.2) B
another_link() {
	ip link add "$1" netns A type veth peer name "$2" netns B
	ip -n A address add "10.$3.0.1/24" dev "$1"
	ip -n B address add "10.$3.0.2/24" dev "$2"
	ip -n A link set "$1" up
	ip -n B link set "$2" up
}
