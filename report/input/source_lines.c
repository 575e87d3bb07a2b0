// SPDX-License-Identifier: GPL-2.0
/* source_lines.c - look up source lines of the recorded kernel in its debug information */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "input/debug_file.h"
#include "build_symbols.h"
#include "escape.h"
#include "hash_table.h"
#include "input/source_lines.h"

/*
 * Addresses of the kernel on x86, below all modules. They belong to the kernel even if the recording does not
 * contain the addresses of the modules. On arm64, modules are below the kernel, and the place of both depends
 * on the size of the address space.
 */
#define KERNEL_BEGIN 0xffffffff80000000ull
#define KERNEL_END   0xffffffffa0000000ull

/* A kernel or module with its file of debug information. @file is NULL if no file belongs to it. */
struct source {
	struct debug_file *file;
	struct debug_match match;
	char *name; /* name of the module; NULL for the kernel */
	char *build_id;
	uint64_t begin, end; /* addresses of the module's functions */
	bool is_opened;
};

/* A source line that was looked up. @text is empty if the line is not known. */
struct known_line {
	char text[SOURCE_LINE_LEN];
};

struct source_lines {
	char *release;
	bool has_builds; /* the recording has build IDs, as symbols ".kernel…" and ".module…" */
	struct source kernel;
	struct source *modules;
	size_t nr_modules;
	struct table known; /* table of the lines that were looked up, by address */
};

static const char *vmlinux;

int source_lines_set_vmlinux(const char *path, struct err *err)
{
	if (!debug_file_is_supported())
		return err_set(err, "--vmlinux needs libdw, and this program was built without it");
	vmlinux = path;
	return 0;
}

/* Return: a copy of the third word of "Linux HOST RELEASE ARCHITECTURE"; NULL if that word is missing. */
static char *release_of(const char *machine)
{
	for (int word = 0; machine && word < 2; word++) {
		machine = strchr(machine, ' ');
		machine = machine ? machine + 1 : NULL;
	}
	return machine && *machine && *machine != ' ' ? strndup(machine, strcspn(machine, " ")) :
							NULL;
}

/* Parse ".module.NAME.BEGIN-END.BUILD-ID". Return: false if there is not enough memory. */
static bool add_module(struct source_lines *lines, const char *text)
{
	const size_t len = strcspn(text, ".");
	unsigned long long begin, end;
	struct source *module, *more;
	int build_id = 0;

	if (!len || sscanf(text + len, ".%llx-%llx.%n", &begin, &end, &build_id) < 2 || !build_id)
		return true;
	more = realloc(lines->modules, (lines->nr_modules + 1) * sizeof(*lines->modules));
	if (!more)
		return false;
	lines->modules = more;
	module = &more[lines->nr_modules++];
	*module = (struct source){ .begin = begin, .end = end };
	module->name = strndup(text, len);
	module->build_id = strdup(text + len + build_id);
	return module->name && module->build_id;
}

static bool find_builds(struct source_lines *lines, struct tep_handle *tep)
{
	static const char kernel[] = ".kernel.", module[] = ".module.";
	uint64_t address = RECORD_SKB_BUILD_SYMBOLS;
	const char *text = tep_find_function(tep, address);

	if (!text || strncmp(text, kernel, strlen(kernel)))
		return true;
	lines->has_builds = true;
	lines->kernel.build_id = strdup(text + strlen(kernel));
	if (!lines->kernel.build_id)
		return false;
	while ((text = tep_find_function(tep, ++address)) &&
	       tep_find_function_address(tep, address) == address &&
	       !strncmp(text, module, strlen(module))) {
		if (!add_module(lines, text + strlen(module)))
			return false;
	}
	return true;
}

struct source_lines *source_lines_new(struct tep_handle *tep, const char *machine)
{
	struct source_lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		return NULL;
	lines->release = release_of(machine);
	if (find_builds(lines, tep))
		return lines;
	source_lines_free(lines);
	return NULL;
}

static void source_free(struct source *source)
{
	debug_file_close(source->file);
	debug_match_free(&source->match);
	free(source->name);
	free(source->build_id);
}

void source_lines_free(struct source_lines *lines)
{
	if (!lines)
		return;
	source_free(&lines->kernel);
	for (size_t i = 0; i < lines->nr_modules; i++)
		source_free(&lines->modules[i]);
	free(lines->modules);
	free(lines->release);
	table_free(&lines->known);
	free(lines);
}

/* Return: the kernel or module that contains the function; NULL if that is not known. */
static struct source *source_of(struct source_lines *lines, uint64_t address)
{
	for (size_t i = 0; i < lines->nr_modules; i++) {
		if (address >= lines->modules[i].begin && address < lines->modules[i].end)
			return &lines->modules[i];
	}
	if (lines->has_builds || (address >= KERNEL_BEGIN && address < KERNEL_END))
		return &lines->kernel;
	return NULL;
}

static void open_source(const struct source_lines *lines, struct source *source)
{
	const struct debug_wanted wanted = {
		.path = source->name ? NULL : vmlinux,
		.module = source->name,
		.release = lines->release,
		.build_id = source->build_id && *source->build_id ? source->build_id : NULL,
	};

	source->file = debug_file_open(&wanted, &source->match);
	source->is_opened = true;
}

static void look_up(struct source_lines *lines, struct known_line *known, uint64_t address,
		    const char *function, uint32_t offset)
{
	struct source *source = source_of(lines, address - offset);
	char line[SOURCE_LINE_LEN];

	if (!source)
		return;
	if (!source->is_opened)
		open_source(lines, source);
	if (!source->file || !debug_file_line(source->file, function, offset, line, sizeof(line)))
		return;
	escape_text(known->text, sizeof(known->text), line);
}

const char *source_lines_find(struct source_lines *lines, uint64_t address, const char *function,
			      uint32_t offset, char line[SOURCE_LINE_LEN])
{
	const struct table_key key = { .number = address };
	struct known_line *known;

	if (!lines || !offset || !debug_file_is_supported())
		return NULL;
	known = table_find(&lines->known, key);
	if (!known) {
		known = table_add(&lines->known, key, calloc(1, sizeof(*known)));
		if (!known)
			return NULL;
		look_up(lines, known, address, function, offset);
	}
	return known->text[0] ? strcpy(line, known->text) : NULL;
}

static void print_file(FILE *out, const struct source *source)
{
	static const char *const words[] = {
		[DEBUG_SAME_BUILD] = "source lines: from %s, which has the recorded build ID\n",
		[DEBUG_SAME_RELEASE] =
			"source lines: from %s, which has the recorded release; the builds were not "
			"compared\n",
		[DEBUG_OTHER_BUILD] = "source lines: not from %s, which is of another build\n",
		[DEBUG_UNUSABLE] = "source lines: not from %s, which cannot be used\n",
	};
	char path[ESCAPED_LEN(512)];

	if (source->match.path && words[source->match.result])
		fprintf(out, words[source->match.result],
			escape_text(path, sizeof(path), source->match.path));
}

void source_lines_print_files(FILE *out, const struct source_lines *lines)
{
	if (!lines)
		return;
	print_file(out, &lines->kernel);
	for (size_t i = 0; i < lines->nr_modules; i++)
		print_file(out, &lines->modules[i]);
}
