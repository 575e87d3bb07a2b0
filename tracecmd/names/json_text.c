// SPDX-License-Identifier: GPL-2.0
/* json_text.c - find texts in the JSON files of container runtimes */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "names/json_text.h"

static const char *skip_space(const char *at)
{
	return at ? at + strspn(at, " \t\r\n") : NULL;
}

/* Return the position behind the string at @at, or NULL. */
static const char *skip_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && !*++at)
			return NULL;
	return *at ? at + 1 : NULL;
}

/* Return the position behind the value at @at, or NULL. */
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

/* Write a character in UTF-8. Return its number of bytes. */
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

/* Write the character of the escape behind a backslash. Return its number of bytes, 0 for a bad escape. */
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
