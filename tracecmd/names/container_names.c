// SPDX-License-Identifier: GPL-2.0
/*
 * container_names.c - find the name of the container or pod of a process, in the JSON files of container
 * runtimes
 */
#include <fcntl.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names/container_names.h"
#include "text.h"

static const char *skip_space(const char *at)
{
	return at ? at + strspn(at, " \t\r\n") : NULL;
}

/* Return the position after the JSON string at @at; NULL if the string has no end. */
static const char *skip_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && !*++at)
			return NULL;
	return *at ? at + 1 : NULL;
}

/* Return the position after the JSON value at @at; NULL if the value is damaged. */
static const char *skip_value(const char *at)
{
	size_t depth = 0;

	do {
		at = skip_space(at);
		if (!at || !*at)
			return NULL;
		if (*at == '"') {
			at = skip_string(at);
		} else if (*at == '{' || *at == '[') {
			depth++;
			at++;
			continue;
		} else if (*at == '}' || *at == ']') {
			if (!depth)
				return NULL;
			depth--;
			at++;
		} else if (*at == ',' || *at == ':') {
			if (!depth)
				return NULL;
			at++;
			continue;
		} else {
			at += strcspn(at, " \t\r\n,:{}[]\"");
		}
	} while (depth);
	return at;
}

static bool is_string(const char *at, const char *text)
{
	const size_t len = strlen(text);

	return *at == '"' && !strncmp(at + 1, text, len) && at[len + 1] == '"';
}

const char *json_member(const char *json, const char *key)
{
	const char *at = skip_space(json), *value;

	if (!at || *at != '{')
		return NULL;
	do {
		at = skip_space(at + 1);
		if (!at || *at != '"')
			return NULL;
		value = skip_space(skip_string(at));
		if (!value || *value != ':')
			return NULL;
		value = skip_space(value + 1);
		if (is_string(at, key))
			return value;
		at = skip_space(skip_value(value));
	} while (at && *at == ',');
	return NULL;
}

const char *json_first(const char *json)
{
	const char *at = skip_space(json);

	if (!at || *at != '[')
		return NULL;
	at = skip_space(at + 1);
	return *at && *at != ']' ? at : NULL;
}

const char *json_next(const char *element)
{
	const char *at = skip_space(skip_value(element));

	return at && *at == ',' ? skip_space(at + 1) : NULL;
}

/* Write a character to @buf in UTF-8. Return the number of bytes. */
static size_t put_character(char *buf, uint32_t character)
{
	if (character < 0x80) {
		buf[0] = character;
		return 1;
	}
	if (character < 0x800) {
		buf[0] = 0xc0 | character >> 6;
		buf[1] = 0x80 | (character & 0x3f);
		return 2;
	}
	buf[0] = 0xe0 | character >> 12;
	buf[1] = 0x80 | (character >> 6 & 0x3f);
	buf[2] = 0x80 | (character & 0x3f);
	return 3;
}

/*
 * Decode a JSON escape, and write its character to @buf. *@at points to the escape, after its backslash.
 * Return the number of bytes; 0 for an invalid escape.
 */
static size_t put_escape(char *buf, const char **at)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found = strchr(from, **at);
	char digits[5] = "", *end;
	uint32_t character;

	if (**at && found) {
		buf[0] = to[found - from];
		return 1;
	}
	if (**at != 'u' || strnlen(*at, 5) < 5)
		return 0;
	memcpy(digits, *at + 1, 4);
	character = strtoul(digits, &end, 16);
	if (end != digits + 4 || !character)
		return 0;
	*at += 4;
	return put_character(buf, character);
}

bool json_text(const char *json, char *buf, size_t size)
{
	const char *at = skip_space(json);
	size_t len = 0, n;

	if (!at || *at != '"' || !skip_string(at))
		return false;
	for (at++; *at != '"'; at++) {
		if (len + 4 > size)
			return false;
		if (*at == '\\') {
			at++;
			n = put_escape(buf + len, &at);
			if (!n)
				return false;
			len += n;
		} else {
			buf[len++] = *at;
		}
	}
	buf[len] = '\0';
	return len;
}

#define MAX_FILE     (16 << 20)
#define MAX_PATH     4096
#define SHORT_ID_LEN 12
#define ID_LEN	     64

/*
 * Return the content of a regular file, to be freed, or NULL. A file of an ordinary user may be hostile.
 * Therefore opening it must not block, and its size is limited.
 */
static char *read_limited(char *path)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	char *text = NULL;
	ssize_t n;

	free(path);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= MAX_FILE) {
		text = xrealloc(NULL, st.st_size + 1);
		n = read(fd, text, st.st_size);
		text[n > 0 ? n : 0] = '\0';
	}
	close(fd);
	return text;
}

static bool is_id(const char *text, size_t len)
{
	return len == ID_LEN && strspn(text, "0123456789abcdef") >= len;
}

static void set_label(struct netns_label *label, unsigned int kind, const char *id)
{
	label->kind = kind;
	snprintf(label->name, sizeof(label->name), "%.*s", SHORT_ID_LEN, id);
	snprintf(label->detail, sizeof(label->detail), "%s", id);
}

/*
 * If the JSON object @json has the members @name and @namespace with the name and namespace of a pod, set
 * @label to the pod and return true.
 */
static bool take_pod(const char *json, const char *name, const char *namespace,
		     struct netns_label *label)
{
	struct netns_label pod = { .kind = RECORD_SKB_NETNS_POD };

	if (!json_text(json_member(json, name), pod.name, sizeof(pod.name)) ||
	    !json_text(json_member(json, namespace), pod.detail, sizeof(pod.detail)))
		return false;
	*label = pod;
	return true;
}

static void find_docker(const char *root, const char *id, struct netns_label *label)
{
	char *daemon = read_limited(xasprintf("%s/etc/docker/daemon.json", root));
	char data[MAX_PATH] = "/var/lib/docker", name[RECORD_SKB_NETNS_NAME_LEN];
	const char *labels;
	char *config;

	set_label(label, RECORD_SKB_NETNS_DOCKER, id);
	json_text(json_member(daemon, "data-root"), data, sizeof(data));
	config = read_limited(xasprintf("%s%s/containers/%s/config.v2.json", root, data, id));
	labels = json_member(json_member(config, "Config"), "Labels");
	if (!take_pod(labels, "io.kubernetes.pod.name", "io.kubernetes.pod.namespace", label) &&
	    json_text(json_member(config, "Name"), name, sizeof(name)) && name[name[0] == '/'])
		strcpy(label->name, name + (name[0] == '/'));
	free(config);
	free(daemon);
}

/*
 * Search a list of podman's containers for the container with the ID @id. If it is found, set @label and
 * return true.
 */
static bool take_from_list(const char *list, const char *id, struct netns_label *label)
{
	const char *container;
	char own[ID_LEN + 8];

	for (container = json_first(list); container; container = json_next(container)) {
		if (!json_text(json_member(container, "id"), own, sizeof(own)) || strcmp(own, id))
			continue;
		set_label(label, RECORD_SKB_NETNS_PODMAN, id);
		json_text(json_first(json_member(container, "names")), label->name,
			  sizeof(label->name));
		return true;
	}
	return false;
}

/*
 * Search the files of podman in the directory @storage for the container with the ID @id. Return true if it
 * is found.
 */
static bool find_in_storage(const char *root, const char *storage, const char *id,
			    struct netns_label *label)
{
	static const char *const drivers[] = { "overlay", "vfs", "btrfs", "zfs" };
	static const char *const lists[] = { "containers", "volatile-containers" };
	bool found = false;
	char *list;

	for (size_t i = 0; i < 8 && !found; i++) {
		list = read_limited(xasprintf("%s%s/%s-containers/%s.json", root, storage,
					      drivers[i / 2], lists[i % 2]));
		found = take_from_list(list, id, label);
		free(list);
	}
	return found;
}

static void find_podman(const char *root, const char *id, struct netns_label *label)
{
	if (!find_in_storage(root, "/var/lib/containers/storage", id, label) &&
	    !find_in_storage(root, "/run/containers/storage", id, label))
		set_label(label, RECORD_SKB_NETNS_PODMAN, id);
}

/*
 * Find a container that the user @uid runs with podman. Return true if the files of this user have the
 * container.
 */
static bool find_rootless(const char *root, unsigned int uid, const char *id,
			  struct netns_label *label)
{
	const struct passwd *user = getpwuid(uid);
	bool found;
	char *storage;

	if (!user || !user->pw_dir)
		return false;
	storage = xasprintf("%s/.local/share/containers/storage", user->pw_dir);
	found = find_in_storage(root, storage, id, label);
	free(storage);
	return found;
}

/*
 * Find a container of containerd by its ID. @namespace is a namespace of containerd, which is "k8s.io" for
 * Kubernetes.
 */
static bool find_containerd(const char *root, const char *namespace, const char *id,
			    struct netns_label *label)
{
	static const char *const states[] = {
		"/run/containerd",
		"/run/k3s/containerd",
		"/var/snap/microk8s/common/run/containerd",
	};
	const char *annotations;
	char *config = NULL;

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]) && !config; i++)
		config = read_limited(
			xasprintf("%s%s/io.containerd.runtime.v2.task/%s/%s/config.json", root,
				  states[i], namespace, id));
	if (!config)
		return false;
	set_label(label, RECORD_SKB_NETNS_CONTAINERD, id);
	/* ctr(8) gives its containers names in place of IDs. */
	if (!is_id(id, strlen(id)))
		snprintf(label->name, sizeof(label->name), "%s", id);
	annotations = json_member(config, "annotations");
	if (!take_pod(annotations, "io.kubernetes.cri.sandbox-name",
		      "io.kubernetes.cri.sandbox-namespace", label))
		json_text(json_member(annotations, "nerdctl/name"), label->name,
			  sizeof(label->name));
	free(config);
	return true;
}

static bool find_crio(const char *root, const char *id, struct netns_label *label)
{
	char *config = read_limited(xasprintf(
		"%s/run/containers/storage/overlay-containers/%s/userdata/config.json", root, id));
	const bool found = take_pod(json_member(config, "annotations"), "io.kubernetes.pod.name",
				    "io.kubernetes.pod.namespace", label);

	free(config);
	return found;
}

/*
 * Find a container of Kubernetes. The cgroup does not tell which container runtime it has, so try all of
 * them.
 */
static void find_cri(const char *root, const char *id, struct netns_label *label)
{
	if (find_containerd(root, "k8s.io", id, label) || find_crio(root, id, label))
		return;
	find_docker(root, id, label);
	/*
	 * If docker has no file for the container, find_docker() uses the beginning of the ID as the name.
	 * Docker does not have this container then: it is one of containerd, and its name is not known.
	 */
	if (label->kind == RECORD_SKB_NETNS_DOCKER && !strncmp(label->name, id, SHORT_ID_LEN))
		label->kind = RECORD_SKB_NETNS_CONTAINERD;
}

/* If @name begins with @prefix and ends with @suffix, copy the part between them to @buf and return true. */
static bool take_between(const char *name, const char *prefix, const char *suffix, char *buf,
			 size_t size)
{
	const size_t len = strlen(name), before = strlen(prefix), behind = strlen(suffix);

	if (len <= before + behind || len - before - behind >= size ||
	    strncmp(name, prefix, before) || strcmp(name + len - behind, suffix))
		return false;
	memcpy(buf, name + before, len - before - behind);
	buf[len - before - behind] = '\0';
	return true;
}

/* Replace the escapes in a unit name of systemd, such as "\x2d" for "-". */
static void unescape_unit(char *name)
{
	unsigned int byte;
	char *to = name;

	for (const char *at = name; *at; at++)
		if (at[0] == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &byte) == 1 && byte) {
			*to++ = byte;
			at += 3;
		} else {
			*to++ = *at;
		}
	*to = '\0';
}

static bool set_machine(struct netns_label *label, unsigned int kind, char *name)
{
	if (kind == RECORD_SKB_NETNS_NSPAWN)
		unescape_unit(name);
	*label = (struct netns_label){ .kind = kind };
	snprintf(label->name, sizeof(label->name), "%s", name);
	return true;
}

/*
 * If the cgroup with the name @part is a container, set @label and return true. @before: the name of the
 * parent cgroup; "" if it has no parent. @in_pod: true if a cgroup above is one of Kubernetes.
 */
static bool take_part(const char *root, const char *before, const char *part, bool in_pod,
		      struct netns_label *label)
{
	static const struct {
		const char *prefix, *suffix;
		void (*find)(const char *root, const char *id, struct netns_label *label);
	} runtimes[] = {
		{ "docker-", ".scope", find_docker }, { "libpod-", ".scope", find_podman },
		{ "libpod-", "", find_podman },	      { "cri-containerd-", ".scope", find_cri },
		{ "crio-", ".scope", find_cri },      { "crio-", "", find_cri },
	};
	char name[RECORD_SKB_NETNS_NAME_LEN];

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (take_between(part, runtimes[i].prefix, runtimes[i].suffix, name,
				 sizeof(name)) &&
		    is_id(name, strlen(name))) {
			runtimes[i].find(root, name, label);
			return true;
		}
	if (take_between(part, "nerdctl-", ".scope", name, sizeof(name)) &&
	    is_id(name, strlen(name)))
		return find_containerd(root, "default", name, label);
	if (take_between(part, "systemd-nspawn@", ".service", name, sizeof(name)) ||
	    (take_between(part, "machine-", ".scope", name, sizeof(name)) &&
	     strncmp(name, "qemu", 4)))
		return set_machine(label, RECORD_SKB_NETNS_NSPAWN, name);
	if (take_between(part, "lxc.payload.", "", name, sizeof(name)) ||
	    (!strcmp(before, "lxc") && take_between(part, "", "", name, sizeof(name))))
		return set_machine(label, RECORD_SKB_NETNS_LXC, name);
	if (!is_id(part, strlen(part)))
		return false;
	if (in_pod)
		find_cri(root, part, label);
	else if (!strcmp(before, "docker"))
		find_docker(root, part, label);
	else
		return false;
	return true;
}

/* Return true if @path is the cgroup of a container that a user runs with podman in a session. */
static bool take_rootless(const char *root, const char *path, struct netns_label *label)
{
	const char *uid = strstr(path, "/user-"), *id = strstr(path, "/libpod-");
	char text[ID_LEN + 1];

	if (!uid || !id || !is_id(id + 8, strnlen(id + 8, ID_LEN)))
		return false;
	snprintf(text, sizeof(text), "%.*s", ID_LEN, id + 8);
	return find_rootless(root, strtoul(uid + 6, NULL, 10), text, label);
}

/*
 * Return true if the cgroup @path has the form /NAMESPACE/ID, which is that of ctr(8), and containerd knows
 * the container.
 */
static bool take_ctr(const char *root, const char *path, struct netns_label *label)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
	const size_t len = strspn(path + 1, plain);
	const char *id = path + 1 + len + 1;
	char namespace[RECORD_SKB_NETNS_DETAIL_LEN];

	if (path[0] != '/' || !len || len >= sizeof(namespace) || path[len + 1] != '/' || !*id ||
	    *id == '.' || path[1] == '.' || id[strspn(id, plain)] ||
	    strlen(id) >= RECORD_SKB_NETNS_DETAIL_LEN)
		return false;
	snprintf(namespace, sizeof(namespace), "%.*s", (int)len, path + 1);
	return find_containerd(root, namespace, id, label);
}

/*
 * Find the container in the path of a cgroup. If there are several, take the outermost one: a container can
 * give any name to the cgroups that it creates.
 */
static bool take_path(const char *root, const char *path, struct netns_label *label)
{
	char *copy, *at, *part, *before = "";
	bool in_pod = false, found = false;

	if (!strncmp(path, "/user.slice/", strlen("/user.slice/")))
		return take_rootless(root, path, label);
	if (take_ctr(root, path, label))
		return true;
	copy = at = xstrdup(path);
	while (!found && (part = strsep(&at, "/"))) {
		if (!*part)
			continue;
		found = take_part(root, before, part, in_pod, label);
		in_pod |= !strncmp(part, "kubepods", strlen("kubepods"));
		before = part;
	}
	free(copy);
	return found;
}

bool container_find(const char *root, const char *cgroup, struct netns_label *label)
{
	char *copy = xstrdup(cgroup), *at = copy, *line, *path;
	bool found = false;

	while (!found && (line = strsep(&at, "\n"))) {
		path = strchr(line, ':');
		path = path ? strchr(path + 1, ':') : NULL;
		found = path && take_path(root, path + 1, label);
	}
	free(copy);
	return found;
}

#ifndef FILEID_KERNFS
#define FILEID_KERNFS 0xfe
#endif

/*
 * Find the cgroup with the ID @id below the mount point @mount of cgroup2, and write its path to @buf. Return
 * false if no such cgroup exists.
 */
static bool find_cgroup_path(const char *mount, uint64_t id, char *buf, size_t size)
{
	struct {
		struct file_handle head;
		uint64_t id;
	} handle = { .head = { .handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS } };
	const int top = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const size_t len = strlen(mount);
	char *link;
	ssize_t n;
	int fd;

	if (top < 0)
		return false;
	memcpy(handle.head.f_handle, &id, sizeof(id));
	fd = open_by_handle_at(top, &handle.head, O_RDONLY | O_CLOEXEC);
	close(top);
	if (fd < 0)
		return false;
	link = xasprintf("/proc/self/fd/%d", fd);
	n = readlink(link, buf, size - 1);
	buf[n > 0 ? n : 0] = '\0';
	free(link);
	close(fd);
	if (strncmp(buf, mount, len) || buf[len] != '/')
		return false;
	memmove(buf, buf + len, strlen(buf + len) + 1);
	return true;
}

bool container_find_cgroup(uint64_t id, struct netns_label *label)
{
	static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	char path[MAX_PATH];

	for (size_t i = 0; id && i < sizeof(mounts) / sizeof(mounts[0]); i++)
		if (find_cgroup_path(mounts[i], id, path, sizeof(path)))
			return take_path("", path, label);
	return false;
}

bool container_lacks_name(const struct netns_label *label)
{
	switch (label->kind) {
	case RECORD_SKB_NETNS_DOCKER:
	case RECORD_SKB_NETNS_PODMAN:
	case RECORD_SKB_NETNS_CONTAINERD:
		return strlen(label->name) == SHORT_ID_LEN &&
		       !strncmp(label->name, label->detail, SHORT_ID_LEN);
	default:
		return false;
	}
}
