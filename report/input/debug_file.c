// SPDX-License-Identifier: GPL-2.0
/* debug_file.c - a file with debug information of a kernel or of a module, read with libdw */
#include <stdlib.h>

#include "input/debug_file.h"

void debug_match_free(struct debug_match *match)
{
	free(match->path);
	match->path = NULL;
}

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fts.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct debug_file {
	Dwfl *dwfl;
	Dwfl_Module *module;
};

bool debug_file_is_supported(void)
{
	return true;
}

/*
 * Tell libdw that a file has no separate debug file. The default callback would search other files, and even
 * ask a server for them.
 */
static int find_no_debuginfo(Dwfl_Module *module, void **user_data, const char *name,
			     Dwarf_Addr base, const char *file, const char *link, GElf_Word crc,
			     char **found)
{
	(void)module;
	(void)user_data;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)crc;
	(void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = find_no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

void debug_file_close(struct debug_file *file)
{
	if (!file)
		return;
	if (file->dwfl)
		dwfl_end(file->dwfl);
	free(file);
}

static struct debug_file *open_file(const char *path)
{
	struct debug_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->dwfl = dwfl_begin(&callbacks);
	if (file->dwfl)
		file->module = dwfl_report_offline(file->dwfl, path, path, -1);
	if (file->module && !dwfl_report_end(file->dwfl, NULL, NULL))
		return file;
	debug_file_close(file);
	return NULL;
}

static bool has_lines(struct debug_file *file)
{
	Dwarf_Addr bias;

	return dwfl_module_getdwarf(file->module, &bias);
}

/* Find a section of the file, and its data. Return: false if the file has no section with this name. */
static bool section_data(struct debug_file *file, const char *name, GElf_Shdr *header,
			 Elf_Data **data)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	Elf_Scn *section = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *found;

		if (!gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS)
			continue;
		found = elf_strptr(elf, names, header->sh_name);
		if (!found || strcmp(found, name))
			continue;
		*data = elf_rawdata(section, NULL);
		return *data && (*data)->d_buf;
	}
	return false;
}

/*
 * Return: true if @text begins with the release and a blank or null byte follows, so that it is not the
 * beginning of a longer release. @text has @size bytes.
 */
static bool begins_with_release(const char *text, size_t size, const char *release)
{
	const size_t len = strlen(release);

	return size > len && !memcmp(text, release, len) && (text[len] == ' ' || !text[len]);
}

/*
 * Search the data of a section for @before. A release of the kernel follows this text.
 *
 * Return: 1 if it is @release, 0 if it is another release, -1 if the section does not contain @before.
 */
static int compare_release(struct debug_file *file, const char *section, const char *before,
			   const char *release)
{
	const size_t len = strlen(before);
	GElf_Shdr header;
	Elf_Data *data;
	const char *at;

	if (!section_data(file, section, &header, &data))
		return -1;
	at = memmem(data->d_buf, data->d_size, before, len);
	if (!at)
		return -1;
	at += len;
	return begins_with_release(at, (const char *)data->d_buf + data->d_size - at, release);
}

/* Compare the build IDs, and set @match to the result. Return: false if there are no build IDs to compare. */
static bool compare_build(struct debug_file *file, const char *build_id, struct debug_match *match)
{
	const unsigned char *bits;
	GElf_Addr address;
	char text[2 * 64 + 1] = "";
	int n = dwfl_module_build_id(file->module, &bits, &address);

	if (!build_id || n <= 0 || n > 64)
		return false;
	for (int i = 0; i < n; i++)
		sprintf(text + 2 * i, "%02x", bits[i]);
	match->result = strcmp(text, build_id) ? DEBUG_OTHER_BUILD : DEBUG_SAME_BUILD;
	return true;
}

/* Compare the file with the recorded kernel or module, by build ID, or, without a build ID, by release. */
static void compare(struct debug_file *file, const struct debug_wanted *wanted,
		    struct debug_match *match)
{
	int same = -1;

	if (compare_build(file, wanted->build_id, match))
		return;
	if (wanted->release)
		same = wanted->module ?
			       compare_release(file, ".modinfo", "vermagic=", wanted->release) :
			       compare_release(file, ".rodata", "Linux version ", wanted->release);
	match->result = same > 0 ? DEBUG_SAME_RELEASE : same ? DEBUG_UNUSABLE : DEBUG_OTHER_BUILD;
}

/*
 * Open a file if it exists and has debug information.
 *
 * Return: the file if it belongs to the recorded kernel or module. @match then describes this file. Until a
 * file belongs to the kernel or module, @match describes the first file that was tried.
 */
static struct debug_file *try_file(const char *path, const struct debug_wanted *wanted,
				   struct debug_match *match)
{
	struct debug_match found = { .result = DEBUG_UNUSABLE };
	struct debug_file *file;

	if (!wanted->path && access(path, R_OK))
		return NULL;
	file = open_file(path);
	if (file && !has_lines(file)) {
		debug_file_close(file);
		file = NULL;
		/*
		 * Ignore a file in one of the usual places if it lacks debug information. Report such a file
		 * only if the user has named it.
		 */
		if (!wanted->path)
			return NULL;
	}
	if (file)
		compare(file, wanted, &found);
	if (!match->path || found.result == DEBUG_SAME_BUILD ||
	    found.result == DEBUG_SAME_RELEASE) {
		debug_match_free(match);
		match->result = found.result;
		match->path = strdup(path);
	}
	if (found.result == DEBUG_SAME_BUILD || found.result == DEBUG_SAME_RELEASE)
		return file;
	debug_file_close(file);
	return NULL;
}

static struct debug_file *open_kernel(const struct debug_wanted *wanted, struct debug_match *match)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-%s",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/usr/lib/modules/%s/vmlinux",
		"/lib/modules/%s/build/vmlinux",
		"/boot/vmlinux-%s",
	};
	struct debug_file *file = NULL;
	char path[512];

	if (wanted->path)
		return try_file(wanted->path, wanted, match);
	for (size_t i = 0; !file && wanted->release && i < sizeof(places) / sizeof(places[0]);
	     i++) {
		snprintf(path, sizeof(path), places[i], wanted->release);
		file = try_file(path, wanted, match);
	}
	return file;
}

/* Return: true if @file is the file of a module, such as "nf_tables.ko" or "nf-tables.ko.debug". */
static bool is_module(const char *file, const char *module)
{
	for (; *module; file++, module++) {
		if ((*file == '-' ? '_' : *file) != *module)
			return false;
	}
	return !strcmp(file, ".ko") || !strcmp(file, ".ko.debug");
}

static struct debug_file *search_folder(const char *folder, const struct debug_wanted *wanted,
					struct debug_match *match)
{
	char *const folders[] = { (char *)folder, NULL };
	FTS *tree = fts_open(folders, FTS_PHYSICAL | FTS_NOSTAT | FTS_NOCHDIR, NULL);
	struct debug_file *file = NULL;
	FTSENT *entry;

	if (!tree)
		return NULL;
	while (!file && (entry = fts_read(tree))) {
		if (entry->fts_info != FTS_D && is_module(entry->fts_name, wanted->module))
			file = try_file(entry->fts_path, wanted, match);
	}
	fts_close(tree);
	return file;
}

static struct debug_file *open_module(const struct debug_wanted *wanted, struct debug_match *match)
{
	static const char *const places[] = {
		"/usr/lib/debug/lib/modules/%s",
		"/usr/lib/debug/usr/lib/modules/%s",
		"/lib/modules/%s",
	};
	struct debug_file *file = NULL;
	char path[512];

	for (size_t i = 0; !file && wanted->release && i < sizeof(places) / sizeof(places[0]);
	     i++) {
		snprintf(path, sizeof(path), places[i], wanted->release);
		file = search_folder(path, wanted, match);
	}
	return file;
}

struct debug_file *debug_file_open(const struct debug_wanted *wanted, struct debug_match *match)
{
	/*
	 * The kernel release comes from the recording, which may be forged, and becomes a part of a path.
	 * Reject a release that would lead out of the folder, such as "../../tmp".
	 */
	if (wanted->release && (strchr(wanted->release, '/') || wanted->release[0] == '.'))
		return NULL;
	return wanted->module ? open_module(wanted, match) : open_kernel(wanted, match);
}

/*
 * Find the function with a name, if only one function has this name. A function may have several symbols at
 * the same address.
 *
 * Return: false if there is none, or if there are several.
 */
static bool find_function(struct debug_file *file, const char *function, GElf_Addr *address,
			  GElf_Xword *size)
{
	const int n = dwfl_module_getsymtab(file->module);
	bool is_found = false;

	for (int i = 0; i < n; i++) {
		GElf_Word section;
		GElf_Addr value;
		GElf_Sym symbol;
		const char *name = dwfl_module_getsym_info(file->module, i, &symbol, &value,
							   &section, NULL, NULL);

		if (!name || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || !section ||
		    strcmp(name, function))
			continue;
		if (is_found && value != *address)
			return false;
		is_found = true;
		*address = value;
		*size = symbol.st_size;
	}
	return is_found;
}

/* Return the path of a source file relative to the folder in which the kernel was built. */
static const char *relative_path(const char *path, const char *folder)
{
	const size_t len = folder ? strlen(folder) : 0;

	if (len && !strncmp(path, folder, len) && path[len] == '/')
		path += len + 1;
	while (!strncmp(path, "./", 2))
		path += 2;
	return path;
}

/* A line of the source code. @folder is the folder in which the kernel was built. */
struct place {
	const char *path, *folder;
	int line;
};

/* Return: true if the inlined function @die only frees packets, such as kfree_skb(). */
static bool frees_packet(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));

	return name && (!strncmp(name, "kfree_skb", strlen("kfree_skb")) ||
			!strncmp(name, "__kfree_skb", strlen("__kfree_skb")));
}

static bool read_number(Dwarf_Die *die, unsigned int what, Dwarf_Word *number)
{
	Dwarf_Attribute attribute;

	return !dwarf_formudata(dwarf_attr(die, what, &attribute), number);
}

/*
 * Set @place to the source line that calls the inlined function @die. Return: false if the line is not known.
 */
static bool read_call(Dwarf_Die *die, Dwarf_Die *unit, struct place *place)
{
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(unit, &files, &n) || !read_number(die, DW_AT_call_file, &file) ||
	    !read_number(die, DW_AT_call_line, &line))
		return false;
	place->path = dwarf_filesrc(files, file, NULL, NULL);
	place->line = line;
	return place->path;
}

/*
 * If the innermost functions at @address are inlined and only free packets, set @place to the line that calls
 * the outermost of them. The lines inside of these functions do not tell why the packet was dropped.
 *
 * Return: false if the line of this call is not known.
 */
static bool leave_frees(struct debug_file *file, GElf_Addr address, struct place *place)
{
	Dwarf_Die *unit, *scopes = NULL, innermost;
	Dwarf_Addr bias;
	bool is_known = true;
	int n;

	unit = dwfl_module_addrdie(file->module, address, &bias);
	n = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
	if (n <= 0)
		return true;
	/*
	 * dwarf_getscopes() returns the scopes around the definition of an inlined function. Only
	 * dwarf_getscopes_die() returns the functions into which the compiler has inlined its code.
	 */
	innermost = scopes[0];
	free(scopes);
	scopes = NULL;
	n = dwarf_getscopes_die(&innermost, &scopes);
	for (int i = 0; is_known && i < n; i++) {
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		if (!frees_packet(&scopes[i]))
			break;
		is_known = read_call(&scopes[i], unit, place);
	}
	free(scopes);
	return is_known;
}

bool debug_file_line(struct debug_file *file, const char *function, uint32_t offset, char *line,
		     size_t size)
{
	struct place place;
	GElf_Addr address;
	GElf_Xword length;
	Dwfl_Line *found;

	if (!offset || !find_function(file, function, &address, &length) || offset > length)
		return false;
	/* Look up the byte before the return address, because the call instruction ends there. */
	address += offset - 1;
	found = dwfl_module_getsrc(file->module, address);
	place.path = found ? dwfl_lineinfo(found, NULL, &place.line, NULL, NULL, NULL) : NULL;
	if (!place.path)
		return false;
	place.folder = dwfl_line_comp_dir(found);
	if (!leave_frees(file, address, &place) || place.line <= 0)
		return false;
	return (size_t)snprintf(line, size, "%s:%d", relative_path(place.path, place.folder),
				place.line) < size;
}

#else /* HAVE_LIBDW */

bool debug_file_is_supported(void)
{
	return false;
}

struct debug_file *debug_file_open(const struct debug_wanted *wanted, struct debug_match *match)
{
	(void)wanted;
	(void)match;
	return NULL;
}

void debug_file_close(struct debug_file *file)
{
	(void)file;
}

bool debug_file_line(struct debug_file *file, const char *function, uint32_t offset, char *line,
		     size_t size)
{
	(void)file;
	(void)function;
	(void)offset;
	(void)line;
	(void)size;
	return false;
}

#endif
