# SPDX-License-Identifier: GPL-2.0
# ssh-client.sh - keys and a configuration of ssh(1) for --on, with the hosts client, router and server
# shellcheck disable=SC2154 # lib.sh or the test sets the other variables.

# ssh_client DIR USER: write the keys and the configuration to DIR, and let record-skb use them. USER is the
# user on the router. On the other hosts, the user is root.
ssh_client() {
	local dir=$1
	mkdir -p "$dir"
	ssh-keygen -q -t ed25519 -N "" -f "$dir/host"
	ssh-keygen -q -t ed25519 -N "" -f "$dir/user"
	cat >"$dir/config" <<-END
		IdentityFile $dir/user
		IdentitiesOnly yes
		UserKnownHostsFile /dev/null
		StrictHostKeyChecking no
		LogLevel ERROR
		Host client
			HostName 10.9.0.1
		Host router
			User $2
			HostName 10.9.0.254
		Host server
			HostName 10.8.0.2
		Host *
			User root
	END
	export RECORD_SKB_SSH="ssh -F $dir/config"
}
