// SPDX-License-Identifier: GPL-2.0
/*
 * test-netns-scan.c - test how the names of network namespaces are found. The test makes up the files of
 * /proc and of container runtimes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "names/container_names.h"
#include "names/netns_scan.h"
#include "text.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static char root[] = "/tmp/test-netns-scan-XXXXXX";

/* Write a file below the test's root directory, and make its directories. */
static void put(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", root, name);
	FILE *file;

	for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	free(path);
}

/* Make a process with this name, namespace, start time and cgroup. */
static void put_process(unsigned int pid, const char *name, unsigned int inode, int started,
			const char *cgroup)
{
	char *stat = xasprintf("%u (%s) S 1 1 1 0 -1 4194304 1 1 1 1 1 1 1 1 20 0 1 0 %d 1 1\n",
			       pid, name, started);
	char *file = xasprintf("proc/%u/stat", pid), *path, *link;

	put(file, stat);
	free(file);
	file = xasprintf("proc/%u/cgroup", pid);
	put(file, cgroup);
	path = xasprintf("%s/proc/%u/ns", root, pid);
	mkdir(path, 0700);
	free(path);
	path = xasprintf("%s/proc/%u/ns/net", root, pid);
	link = xasprintf("net:[%u]", inode);
	unlink(path);
	assert_int_equal(symlink(link, path), 0);
	free(link);
	free(path);
	free(file);
	free(stat);
}

static struct netns_list list;

static const struct netns_label *label_of(unsigned int inode)
{
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i].inode == inode)
			return &list.v[i].label;
	fail_msg("no namespace %u", inode);
	return NULL;
}

static void named(unsigned int inode, unsigned int kind, const char *name, const char *detail)
{
	const struct netns_label *label = label_of(inode);

	assert_string_equal(label->name, name);
	assert_int_equal(label->kind, kind);
	assert_string_equal(label->detail, detail);
}

static void scan(void)
{
	netns_list_free(&list);
	netns_scan(root, &list);
}

static int make_root(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	char *command = xasprintf("rm -r %s", root);
	const int ret = system(command);

	(void)state;
	netns_list_free(&list);
	free(command);
	return ret;
}

static void test_processes(void **state)
{
	(void)state;
	put_process(1, "systemd", 10, 1, "0::/init.scope\n");
	put_process(50, "late", 20, 900, "0::/user.slice/x\n");
	put_process(60, "the) first\n(", 20, 800, "0::/user.slice/x\n");
	put_process(70, "later", 20, 901, "0::/user.slice/x\n");
	scan();
	named(10, RECORD_SKB_NETNS_HOST, "host", "");
	named(20, RECORD_SKB_NETNS_PROCESS, "the) first\n(", "60");
}

static void test_ip_netns(void **state)
{
	const char *const generated = "run/netns/cni-01234567-89ab-cdef-0123-456789abcdef";
	struct stat st, made_up;
	char *path;

	(void)state;
	put("run/netns/blue", "");
	put(generated, "");
	path = xasprintf("%s/run/netns/blue", root);
	assert_int_equal(stat(path, &st), 0);
	free(path);
	path = xasprintf("%s/%s", root, generated);
	assert_int_equal(stat(path, &made_up), 0);
	free(path);
	put_process(5, "one", st.st_ino, 1, "0::/docker/" A "\n");
	put_process(6, "two", made_up.st_ino, 1, "0::/x\n");
	scan();
	named(st.st_ino, RECORD_SKB_NETNS_IP_NETNS, "blue", "");
	named(made_up.st_ino, RECORD_SKB_NETNS_IP_NETNS, generated + 10, "");
	/* A container's own name must be preferred to a name that its runtime made up for the namespace. */
	put_process(7, "three", made_up.st_ino, 2, "0::/docker/" B "\n");
	scan();
	named(made_up.st_ino, RECORD_SKB_NETNS_DOCKER, "bbbbbbbbbbbb", B);
}

/* A namespace with a user's name and a generated one has the user's name, in whatever order the directory has them. */
static void test_two_names(void **state)
{
	char name[64], generated[64], *from, *to;
	struct stat st;
	int i;

	(void)state;
	for (i = 0; i < 16; i++) {
		snprintf(name, sizeof(name), "run/netns/web%d", i);
		snprintf(generated, sizeof(generated),
			 "run/netns/cni-01234567-89ab-cdef-0123-4567%08d", i);
		put(i % 2 ? name : generated, "");
		from = xasprintf("%s/%s", root, i % 2 ? name : generated);
		to = xasprintf("%s/%s", root, i % 2 ? generated : name);
		assert_int_equal(link(from, to), 0);
		assert_int_equal(stat(from, &st), 0);
		put_process(100 + i, "x", st.st_ino, 1, "0::/x\n");
		scan();
		named(st.st_ino, RECORD_SKB_NETNS_IP_NETNS, name + strlen("run/netns/"), "");
		free(from);
		free(to);
	}
}

static void test_docker(void **state)
{
	(void)state;
	put_process(5, "nginx", 20, 5, "0::/system.slice/docker-" A ".scope\n");
	put_process(4, "nsenter", 20, 4, "0::/user.slice/x\n");
	put_process(6, "nginx", 30, 5, "12:net_cls:/docker/" B "\n0::/docker/" B "\n");
	put("var/lib/docker/containers/" A "/config.v2.json",
	    "{\"Config\":{\"Labels\":{\"Name\":\"/wrong\",\"a\":\"\\\"Name\\\":\\\"/no\\\"\"}},\"State\":"
	    "{\"Pid\":5,\"x\":[1,{}]},\"Name\":\"/web \\u001b[31m\\u00e9\"}");
	scan();
	named(20, RECORD_SKB_NETNS_DOCKER, "web \033[31m\303\251", A);
	named(30, RECORD_SKB_NETNS_DOCKER, "bbbbbbbbbbbb", B);
	put("etc/docker/daemon.json", "{ \"data-root\": \"/data\" }");
	put("data/containers/" B "/config.v2.json", "{\"Name\":\"/elsewhere\"}");
	scan();
	named(30, RECORD_SKB_NETNS_DOCKER, "elsewhere", B);
}

static void test_podman(void **state)
{
	(void)state;
	put_process(5, "httpd", 20, 5, "0::/machine.slice/libpod-" A ".scope/container\n");
	put_process(6, "httpd", 30, 5, "0::/libpod_parent/libpod-" B "\n");
	put("var/lib/containers/storage/overlay-containers/containers.json",
	    "[{\"id\":\"" B "\",\"names\":[\"db\"]},\n {\"id\": \"" A
	    "\", \"names\": [ \"web\", \"other\" ]}]");
	scan();
	named(20, RECORD_SKB_NETNS_PODMAN, "web", A);
	named(30, RECORD_SKB_NETNS_PODMAN, "db", B);
}

static void test_pods(void **state)
{
	(void)state;
	put_process(5, "pause", 20, 5,
		    "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice/"
		    "cri-containerd-" A ".scope\n");
	put("run/containerd/io.containerd.runtime.v2.task/k8s.io/" A "/config.json",
	    "{\"hostname\":\"x\",\"annotations\":{\"io.kubernetes.cri.container-type\":\"sandbox\","
	    "\"io.kubernetes.cri.sandbox-name\":\"web-7d9f\","
	    "\"io.kubernetes.cri.sandbox-namespace\":\"shop\"}}");
	put_process(6, "pause", 30, 5, "0::/kubepods/besteffort/podx/" B "\n");
	put("run/containers/storage/overlay-containers/" B "/userdata/config.json",
	    "{\"annotations\":{\"io.kubernetes.pod.name\":\"db-0\","
	    "\"io.kubernetes.pod.namespace\":\"shop\"}}");
	scan();
	named(20, RECORD_SKB_NETNS_POD, "web-7d9f", "shop");
	named(30, RECORD_SKB_NETNS_POD, "db-0", "shop");
	for (size_t i = 0; i < list.n; i++)
		if (list.v[i].inode == 30) {
			assert_true(netns_found_is(&list.v[i], "db-0"));
			assert_true(netns_found_is(&list.v[i], "shop/db-0"));
			assert_false(netns_found_is(&list.v[i], "shop/web-7d9f"));
			assert_false(netns_found_is(&list.v[i], "shop"));
		}
}

static void test_others(void **state)
{
	(void)state;
	put_process(2, "init", 20, 5, "0::/machine.slice/systemd-nspawn@a\\x2db.service/payload\n");
	put_process(3, "init", 30, 5, "0::/lxc.payload.c1/init.scope\n");
	put_process(4, "init", 40, 5, "0::/machine.slice/machine-deb.scope/payload\n");
	put_process(5, "sh", 50, 5, "0::/default/mine\n");
	put("run/containerd/io.containerd.runtime.v2.task/default/mine/config.json", "{}");
	put_process(6, "sh", 60, 5, "0::/default/notmine\n");
	put_process(7, "vm", 70, 5, "0::/machine.slice/machine-qemu\\x2d1\\x2dvm.scope\n");
	scan();
	named(20, RECORD_SKB_NETNS_NSPAWN, "a-b", "");
	named(30, RECORD_SKB_NETNS_LXC, "c1", "");
	named(40, RECORD_SKB_NETNS_NSPAWN, "deb", "");
	named(50, RECORD_SKB_NETNS_CONTAINERD, "mine", "mine");
	named(60, RECORD_SKB_NETNS_PROCESS, "sh", "6");
	named(70, RECORD_SKB_NETNS_PROCESS, "vm", "7");
}

/* A user's own cgroups and damaged files must not give a process the name of a container. */
static void test_hostile(void **state)
{
	char *deep = xrealloc(NULL, 200001);

	(void)state;
	put_process(2, "evil", 20, 5, "0::/user.slice/user-1000.slice/docker-" A ".scope\n");
	put_process(3, "evil", 30, 5, "0::/user.slice/user-1000.slice/lxc.payload.web\n");
	put_process(4, "evil", 40, 5, "0::/docker/../../etc\n");
	put_process(5, "evil", 50, 5, "0::/../passwd\n");
	put_process(6, "inner", 60, 5, "0::/docker/" A "/docker/" B "\n");
	put_process(7, "evil", 70, 5, "0::/docker/" B "\n");
	put("var/lib/docker/containers/" A "/config.v2.json", "{\"Name\":\"/outer\"}");
	memset(deep, '[', 200000);
	deep[200000] = '\0';
	put("var/lib/docker/containers/" B "/config.v2.json", deep);
	scan();
	named(20, RECORD_SKB_NETNS_PROCESS, "evil", "2");
	named(30, RECORD_SKB_NETNS_PROCESS, "evil", "3");
	named(40, RECORD_SKB_NETNS_PROCESS, "evil", "4");
	named(50, RECORD_SKB_NETNS_PROCESS, "evil", "5");
	named(60, RECORD_SKB_NETNS_DOCKER, "outer", A);
	named(70, RECORD_SKB_NETNS_DOCKER, "bbbbbbbbbbbb", B);
	free(deep);
}

static void test_json(void **state)
{
	static const char *const damaged[] = {
		"", "{", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"b\":1]", "{\"b\":\"x", "{\"b\":\"\\"
	};
	char text[8];

	(void)state;
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++)
		assert_false(json_text(json_member(damaged[i], "a"), text, sizeof(text)));
	assert_true(json_text(json_member("{\"b\":[\"a\",{\"a\":1}],\"a\":\"\\\"x\\\\\"}", "a"),
			      text, sizeof(text)));
	assert_string_equal(text, "\"x\\");
	assert_false(json_text("\"longer than that\"", text, sizeof(text)));
	assert_false(json_text("\"\\u0000\"", text, sizeof(text)));
	assert_false(json_text("\"\\ud8\"", text, sizeof(text)));
	assert_null(json_first("[]"));
	assert_null(json_next(json_first("[1]")));
	assert_string_equal(json_next(json_first("[{\"a\":\"]\"} , 2]")), "2]");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_processes), TEST(test_ip_netns), TEST(test_two_names),
		TEST(test_docker),    TEST(test_podman),   TEST(test_pods),
		TEST(test_others),    TEST(test_hostile),  TEST(test_json),
	};

	return cmocka_run_group_tests_name("names of network namespaces", tests, NULL, NULL);
}
