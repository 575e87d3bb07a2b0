#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: five commands of a script, threads and execs are followed from their first socket call on; --no-children leaves out children
# timeout: 300

# Network: A (10.9.0.1, fd09::1) va --- vb (10.9.0.2, fd09::2) B

. "$(dirname "$0")/../lib/lib.sh"
. "$here/follow.sh"

cd "$OUT"
peer

cat >five <<'END'
#!/bin/sh
echo $$ >shell
"$1" fetch 10.9.0.2 9000
"$1" ask 10.9.0.2 9000
ping -q -c 1 10.9.0.2
("$1" query 10.9.0.2 9000 | cat)
exec "$1" fetch 10.9.0.2 9000
END
chmod +x five
follow script 0 -- ./five "$tasks"
is "$(firsts script)" "5 __sys_socket" "script: five commands, each from its first socket call on"
has "$(list_followed tasks script.raw)" "^$(cat shell)$" "script: the shell's own pid is the fifth one"
is "$(list_followed flows script.raw | cut -d ' ' -f 1 | sort | uniq -c | tr -s ' \n' ' ')" " 1 1 2 17 2 6 " \
	"script: the flows of the five commands"

follow alone 0 --no-children -- ./five "$tasks"
is "$(list_followed tasks alone.raw)" "$(cat shell)" "no children: the command's own socket calls"
is "$(firsts alone)" "1 __sys_socket" "no children: from the first on"
is "$(list_followed flows alone.raw | wc -l)" 1 "no children: the command's own flow"

follow threads 0 -- "$tasks" threads 10.9.0.2 9000 6
is "$(firsts threads)" "6 __sys_socket" "threads: each from its first socket call on"
is "$(list_followed begins threads.raw)" "$(printf '2 10.9.0.2:9000\n%.0s' 1 2 3 4 5 6)" \
	"threads: six connections from their SYN on"
follow single 0 --no-children -- "$tasks" threads 10.9.0.2 9000 2
is "$(firsts single)" "2 __sys_socket" "no children: but threads"
