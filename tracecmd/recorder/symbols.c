// SPDX-License-Identifier: GPL-2.0
/*
 * symbols.c - let trace-cmd store only the kernel symbols that the recording needs, instead of all of them
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_symbols.h"
#include "tracefs/instances.h"
#include "module/module_client.h"
#include "text.h"
#include "recorder/symbols.h"

#define KALLSYMS "/proc/kallsyms"

/*
 * If the per-CPU files of a recording have at most this size, they are searched for addresses, and only the
 * symbols at these addresses are stored. For a larger recording all kernel symbols are stored, because they
 * add little to its size.
 */
#define MAX_BYTES (64UL << 20)

/*
 * The lowest address that code of the kernel or a module can have. On arm64, the memory of skbs is below this
 * address.
 */
#ifdef __aarch64__
#define FIRST_ADDRESS 0xffff800000000000
#else
#define FIRST_ADDRESS 0xffffffff80000000
#endif

struct addresses {
	uint64_t *v;
	size_t n;
};

int symbols_unshare(void)
{
	/*
	 * An error does no harm: symbols_stand_in() then finds that the process is still in the mount
	 * namespace of its caller, and mounts nothing.
	 */
	return unshare(CLONE_NEWNS);
}

static char *path_of(pid_t recorder)
{
	return xasprintf("/run/record-skb-symbols-%d", (int)recorder);
}

static void add_address(struct addresses *addresses, uint64_t address)
{
	/*
	 * Skip an address that equals one of the previous eight. Such repetitions are frequent, and this test
	 * is cheap.
	 */
	for (size_t i = addresses->n, tries = 8; i && tries; i--, tries--)
		if (addresses->v[i - 1] == address)
			return;
	if (!(addresses->n & (addresses->n - 1)))
		addresses->v = xrealloc(addresses->v, (addresses->n ? addresses->n * 2 : 1) *
							      sizeof(*addresses->v));
	addresses->v[addresses->n++] = address;
}

/*
 * Collect all values of eight bytes, at any place in the events, that could be addresses of code in the
 * kernel or a module. The last 16 MB of the address space are left out: they contain no code, and such values
 * are mostly negative numbers.
 */
static void find_addresses(struct addresses *addresses, const uint8_t *bytes, size_t n)
{
	uint64_t address;

	for (size_t i = 0; i + sizeof(address) <= n; i++) {
		if (bytes[i + 7] != 0xff)
			continue;
		memcpy(&address, bytes + i, sizeof(address));
		if (address >= FIRST_ADDRESS && address < 0xffffffffff000000)
			add_address(addresses, address);
	}
}

static int find_in_file(struct addresses *addresses, const char *file, size_t *left)
{
	const int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *bytes;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || (size_t)st.st_size > *left) {
		close(fd);
		return -1;
	}
	*left -= st.st_size;
	bytes = st.st_size ? mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	close(fd);
	if (bytes == MAP_FAILED)
		return -1;
	if (bytes) {
		find_addresses(addresses, bytes, st.st_size);
		munmap(bytes, st.st_size);
	}
	return 0;
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int find_in_parts(struct addresses *addresses, const struct strings *parts)
{
	size_t left = MAX_BYTES;

	for (size_t i = 0; i < parts->n; i++)
		if (find_in_file(addresses, parts->v[i], &left))
			return -1;
	return 0;
}

/* The symbol that was written last: the address of its first byte, and the address after its last byte. */
struct symbol {
	uint64_t begin;
	uint64_t end;
};

/* A module that has symbols in the file, and the range of their addresses. */
struct module {
	char name[RECORD_SKB_SYMBOL_LEN];
	uint64_t begin;
	uint64_t end;
};

struct modules {
	struct module *v;
	size_t n;
};

/*
 * Extend the range of addresses of the module @name by a written symbol. Symbols are written in the order of
 * addresses, so the symbols of one module follow one another.
 */
static void add_module(struct modules *modules, const char *name, uint64_t begin, uint64_t end)
{
	struct module *last = modules->n ? &modules->v[modules->n - 1] : NULL;

	if (!last || strcmp(last->name, name)) {
		modules->v = xrealloc(modules->v, (modules->n + 1) * sizeof(*modules->v));
		last = &modules->v[modules->n++];
		*last = (struct module){ .begin = begin };
		snprintf(last->name, sizeof(last->name), "%s", name);
	}
	if (begin < last->begin)
		last->begin = begin;
	if (end > last->end)
		last->end = end;
}

/* Header of a note of an ELF file. The note's name and descriptor follow, each padded to four bytes. */
struct note {
	uint32_t name_len;
	uint32_t desc_len;
	uint32_t type;
};

#define NOTE_BUILD_ID  3
#define NOTE_PADDED(n) (((size_t)(n) + 3) & ~(size_t)3)

/* Length of the longest build ID as hexadecimal digits, with the null byte. */
#define BUILD_ID_LEN 65

/* Find the build ID in the @n bytes of ELF notes at @notes. Without a build ID, @id becomes empty. */
static void find_build_id(const uint8_t *notes, size_t n, char id[BUILD_ID_LEN])
{
	const uint8_t *desc;
	struct note note;
	size_t i = 0;

	*id = '\0';
	while (n - i >= sizeof(note)) {
		memcpy(&note, notes + i, sizeof(note));
		i += sizeof(note);
		if (note.name_len > n || note.desc_len > n ||
		    NOTE_PADDED(note.name_len) + note.desc_len > n - i)
			return;
		desc = notes + i + NOTE_PADDED(note.name_len);
		if (note.type == NOTE_BUILD_ID && note.name_len == sizeof("GNU") &&
		    !memcmp(notes + i, "GNU", sizeof("GNU")) &&
		    note.desc_len <= (BUILD_ID_LEN - 1) / 2) {
			for (uint32_t byte = 0; byte < note.desc_len; byte++)
				sprintf(id + 2 * byte, "%02x", desc[byte]);
			return;
		}
		i += NOTE_PADDED(note.name_len) + NOTE_PADDED(note.desc_len);
		if (i > n)
			return;
	}
}

static void read_build_id(const char *path, char id[BUILD_ID_LEN])
{
	FILE *file = fopen(path, "re");
	uint8_t notes[8192];
	size_t n = 0;

	if (file) {
		n = fread(notes, 1, sizeof(notes), file);
		fclose(file);
	}
	find_build_id(notes, n, id);
}

/*
 * Write symbols with names that tell a reader which build of the kernel and of its modules was recorded. A
 * trace.dat file has no other place for this. The addresses of these symbols are above all code. Their names
 * begin with a dot, unlike the name of any kernel symbol.
 */
static int write_builds(FILE *to, const struct modules *modules)
{
	uint64_t address = RECORD_SKB_BUILD_SYMBOLS;
	char id[BUILD_ID_LEN], *path;
	int ret;

	read_build_id("/sys/kernel/notes", id);
	ret = fprintf(to, "%016" PRIx64 " t .kernel.%s\n", address++, id);
	for (size_t i = 0; ret >= 0 && i < modules->n; i++) {
		const struct module *module = &modules->v[i];

		path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", module->name);
		read_build_id(path, id);
		free(path);
		ret = fprintf(to, "%016" PRIx64 " t .module.%s.%" PRIx64 "-%" PRIx64 ".%s\n",
			      address++, module->name, module->begin, module->end, id);
	}
	return ret < 0 ? -1 : 0;
}

/*
 * Write the symbol at an address as a line of /proc/kallsyms, unless it was the last symbol that was written.
 * An address without a symbol gets a line, too. Otherwise, a program that reads the file would take the
 * address for a part of the function before it.
 */
static int write_symbol(FILE *to, int session, uint64_t address, struct symbol *last,
			struct modules *modules)
{
	char text[RECORD_SKB_SYMBOL_LEN], name[sizeof(text)], module[sizeof(text)] = "";
	unsigned long offset = 0, size = 0;

	if (session_symbol(session, address, text))
		return -1;
	if (sscanf(text, "%[^+]+%lx/%lx [%[^]]", name, &offset, &size, module) < 3)
		snprintf(name, sizeof(name), "0x%" PRIx64, address);
	if (address - offset == last->begin)
		return 0;
	last->begin = address - offset;
	last->end = last->begin + (size ? size : 1);
	if (*module)
		add_module(modules, module, last->begin, last->end);
	return fprintf(to, "%016" PRIx64 " t %s%s%s%s\n", last->begin, name, *module ? "\t[" : "",
		       module, *module ? "]" : "") < 0 ?
		       -1 :
		       0;
}

/*
 * Write a symbol at the end of the last function. A program that reads the file finds the function at an
 * address only if there is a symbol after the address, too.
 */
static int write_end(FILE *to, const struct symbol *last)
{
	return fprintf(to, "%016" PRIx64 " t 0x%" PRIx64 "\n", last->end, last->end) < 0 ? -1 : 0;
}

/*
 * Replace a file by an empty one that only its owner can read. With O_EXCL, open() fails if another process
 * has created a file or link with this name in the meantime.
 */
static FILE *create_file(const char *path)
{
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static int write_symbols(const struct addresses *addresses, int session, const char *path)
{
	FILE *file = create_file(path);
	struct modules modules = {};
	struct symbol last = {};
	int ret = 0;

	if (!file)
		return -1;
	for (size_t i = 0; !ret && i < addresses->n; i++)
		ret = write_symbol(file, session, addresses->v[i], &last, &modules);
	if (!ret && addresses->n)
		ret = write_end(file, &last);
	if (!ret)
		ret = write_builds(file, &modules);
	free(modules.v);
	return fclose(file) ? -1 : ret;
}

int symbols_choose(int session, const struct strings *parts)
{
	char *path = path_of(getpid());
	struct addresses addresses = {};
	int ret;

	ret = find_in_parts(&addresses, parts);
	if (!ret) {
		qsort(addresses.v, addresses.n, sizeof(*addresses.v), compare_addresses);
		ret = write_symbols(&addresses, session, path);
	}
	free(addresses.v);
	free(path);
	return ret;
}

/* The parts of a line of /proc/kallsyms. @module is empty for symbols of the kernel itself. */
struct line {
	uint64_t address;
	char type;
	char name[RECORD_SKB_SYMBOL_LEN];
	char module[RECORD_SKB_SYMBOL_LEN];
};

/*
 * Return true if @line is a symbol of code. In the kernel itself, only symbols of the text section count:
 * some kernels mark data as code, and other sections have code that is freed after boot. Symbols that begin
 * with "__pfx_" do not count, because they stand for the padding before a function.
 */
static bool is_code(const struct line *line, bool *in_text)
{
	bool was_in_text = *in_text;

	if (!strcmp(line->name, "_stext"))
		was_in_text = *in_text = true;
	if (!strcmp(line->name, "_etext"))
		*in_text = false;
	return strchr("tTwW", line->type) && (was_in_text || *line->module) &&
	       strncmp(line->name, "__pfx_", strlen("__pfx_"));
}

static int copy_code(FILE *from, FILE *to)
{
	struct modules modules = {};
	bool in_text = false;
	char *text = NULL;
	size_t room = 0;
	int ret = 0;

	while (!ret && getline(&text, &room, from) > 0) {
		struct line line = {};

		if (sscanf(text, "%" SCNx64 " %c %255s [%255[^]]", &line.address, &line.type,
			   line.name, line.module) < 3 ||
		    !is_code(&line, &in_text))
			continue;
		if (*line.module)
			add_module(&modules, line.module, line.address, line.address + 1);
		if (fputs(text, to) < 0)
			ret = -1;
	}
	if (!ret)
		ret = write_builds(to, &modules);
	free(modules.v);
	free(text);
	return ret;
}

int symbols_choose_code(void)
{
	char *path = path_of(getpid());
	FILE *from = fopen(KALLSYMS, "re"), *to = create_file(path);
	int ret = -1;

	if (from && to)
		ret = copy_code(from, to);
	if (from)
		fclose(from);
	if (to && fclose(to))
		ret = -1;
	if (ret)
		unlink(path);
	free(path);
	return ret;
}

void symbols_remove(pid_t recorder)
{
	char *path = path_of(recorder);

	unlink(path);
	free(path);
}

/* Return true if this process is in the same mount namespace as the process @pid, or if this is unknown. */
static bool is_home(pid_t pid)
{
	char *path = xasprintf("/proc/%d/ns/mnt", (int)pid);
	struct stat home, here;
	bool same;

	/* After an error, return true, so that the caller mounts nothing. */
	same = stat(path, &home) || stat("/proc/self/ns/mnt", &here) ||
	       (home.st_dev == here.st_dev && home.st_ino == here.st_ino);
	free(path);
	return same;
}

void symbols_stand_in(pid_t recorder)
{
	char *path = path_of(recorder);

	if (!is_home(recorder) && !mounts_keep_to_us())
		mounts_bind(path, KALLSYMS);
	free(path);
}
