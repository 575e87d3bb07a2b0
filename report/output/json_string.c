// SPDX-License-Identifier: GPL-2.0
/* json_string.c - write names as JSON strings */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "output/json_string.h"

char *json_utf8(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *valid = malloc(strlen(text) * (sizeof(replacement) - 1) + 1);
	char *at = valid;
	uint32_t character;
	size_t n;

	for (; valid && *text; text += n) {
		n = decode_character(text, &character);
		at = character == NO_CHARACTER ? stpcpy(at, replacement) : mempcpy(at, text, n);
	}
	if (valid)
		*at = '\0';
	return valid;
}

char *json_string(const char *name)
{
	char *valid = json_utf8(name), *text = NULL;
	struct json_object *object = valid ? json_object_new_string(valid) : NULL;
	const char *json =
		object ? json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE) :
			 NULL;

	if (json)
		text = malloc(ESCAPED_LEN(strlen(json)));
	if (text)
		escape_json(text, ESCAPED_LEN(strlen(json)), json);
	json_object_put(object);
	free(valid);
	return text;
}
