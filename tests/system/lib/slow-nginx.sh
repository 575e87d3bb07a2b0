# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# slow-nginx.sh - nginx in B, which asks a slow program and logs the time of each request
#
# shellcheck disable=SC2034,SC2154 # lib.sh sets the variables, and the tests use these.

# Network: A (10.9.0.1, curl) va --- vb (10.9.0.2, nginx at port 9000) B; nginx asks a slow program at port 9100

two_namespaces
ip -n B link set lo up

cat >"$OUT/slow" <<'END'
read -r method path rest
while read -r line && [ "$line" != $'\r' ]; do :; done
sleep "0.${path#/}"
printf 'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n'
END
ip netns exec B socat TCP-LISTEN:9100,fork,reuseaddr SYSTEM:"bash $OUT/slow" &
at_exit stop $!

cat >"$OUT/nginx.conf" <<END
daemon off;
master_process off;
user root;
pid $OUT/nginx.pid;
error_log $OUT/error.log;
events {}
http {
	log_format times '\$request_time \$connection_requests \$pipe';
	access_log $OUT/access.log times;
	server {
		listen 9000;
		location / {
			proxy_pass http://10.9.0.2:9100;
		}
	}
}
END
ip netns exec B nginx -c "$OUT/nginx.conf" &
server=$!
at_exit stop "$server"
wait_for "nginx" listening B 9000
wait_for "the slow program" listening B 9100
