// SPDX-License-Identifier: GPL-2.0
/*
 * check-json SCHEMA - check that each line of standard input is a JSON value that the schema allows
 *
 * The schema is of draft 2020-12. This program would not check a keyword that it does not know, so such a
 * keyword is an error. Prints a line for each value that the schema does not allow. The exit status is 0 if
 * all values are allowed, 1 if one is not, and 2 if the schema is invalid or cannot be read.
 */
#include <json-c/json.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

static struct json_object *root;
/* Why the last check failed. */
static char reason[512];

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static bool __attribute__((format(printf, 2, 3))) deny(const char *at, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(reason, sizeof(reason), "%.80s: %s", *at ? at : "the value", text);
	return false;
}

static struct json_object *get(struct json_object *object, const char *name)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(object, name, &value);
	return value;
}

static struct json_object *definition(struct json_object *ref)
{
	static const char prefix[] = "#/$defs/";
	const char *text = json_object_get_string(ref);
	struct json_object *found = NULL;

	if (!strncmp(text, prefix, strlen(prefix)))
		found = get(get(root, "$defs"), text + strlen(prefix));
	return found ?: (fail("the schema has no %s", text), NULL);
}

static bool is_type(struct json_object *value, const char *type)
{
	static const struct {
		const char *name;
		enum json_type type;
	} types[] = {
		{ "object", json_type_object },	  { "array", json_type_array },
		{ "string", json_type_string },	  { "integer", json_type_int },
		{ "boolean", json_type_boolean }, { "null", json_type_null },
		{ "number", json_type_double },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].name, type))
			return json_object_get_type(value) == types[i].type;
	fail("'%s' is a type that this program does not know", type);
}

static bool check(struct json_object *value, struct json_object *schema, const char *at, int depth);

static bool check_properties(struct json_object *value, struct json_object *schema, const char *at,
			     int depth)
{
	struct json_object *properties = get(schema, "properties"),
			   *additional = get(schema, "additionalProperties");

	if (!json_object_is_type(value, json_type_object))
		return true;
	json_object_object_foreach(value, name, member)
	{
		struct json_object *allowed = get(properties, name);
		char below[256];

		snprintf(below, sizeof(below), "%s%s%s", at, *at ? "." : "", name);
		if (allowed ? !check(member, allowed, below, depth) :
			      additional && !json_object_get_boolean(additional))
			return allowed ? false :
					 deny(below, "the schema does not have this member");
	}
	return true;
}

static bool check_required(struct json_object *value, struct json_object *names, const char *at)
{
	for (size_t i = 0;
	     json_object_is_type(value, json_type_object) && i < json_object_array_length(names);
	     i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(names, i));

		if (!json_object_object_get_ex(value, name, NULL))
			return deny(at, "it has no member \"%s\"", name);
	}
	return true;
}

static bool check_one_of(struct json_object *value, struct json_object *schemas, const char *at,
			 int depth)
{
	struct json_object *type =
		get(json_object_is_type(value, json_type_object) ? value : NULL, "type");
	char best[sizeof(reason)] = "";
	int matches = 0;

	for (size_t i = 0; i < json_object_array_length(schemas); i++) {
		if (check(value, json_object_array_get_idx(schemas, i), at, depth))
			matches++;
		/* Keep the reason of the alternative for values with this member "type". */
		else if (strncmp(reason, "type: ", strlen("type: ")) || !type)
			strcpy(best, reason);
	}
	if (matches == 1)
		return true;
	if (matches)
		return deny(at, "%d alternatives match, not one", matches);
	return deny(at, "no alternative matches (%.300s)", best);
}

static bool check_enum(struct json_object *value, struct json_object *values, const char *at)
{
	for (size_t i = 0; i < json_object_array_length(values); i++)
		if (json_object_equal(value, json_object_array_get_idx(values, i)))
			return true;
	return deny(at, "%s is not one of the values of the schema",
		    json_object_to_json_string(value));
}

static bool check_items(struct json_object *value, struct json_object *schema, const char *at,
			int depth)
{
	char below[256];

	for (size_t i = 0;
	     json_object_is_type(value, json_type_array) && i < json_object_array_length(value);
	     i++) {
		snprintf(below, sizeof(below), "%s[%zu]", at, i);
		if (!check(json_object_array_get_idx(value, i), schema, below, depth))
			return false;
	}
	return true;
}

/* Compare integers. Numbers in the JSON output of record-skb are not negative. */
static bool check_limit(struct json_object *value, struct json_object *limit, bool is_minimum,
			const char *at)
{
	if (!json_object_is_type(value, json_type_int))
		return true;
	if (is_minimum ? json_object_get_int64(value) >= json_object_get_int64(limit) :
			 json_object_get_uint64(value) <= json_object_get_uint64(limit))
		return true;
	return deny(at, "%s is out of range", json_object_to_json_string(value));
}

static bool check(struct json_object *value, struct json_object *schema, const char *at, int depth)
{
	if (++depth > MAX_DEPTH)
		fail("the schema is nested too deeply");
	if (!json_object_is_type(schema, json_type_object))
		fail("a part of the schema is not an object");
	json_object_object_foreach(schema, word, arg)
	{
		bool ok = true;

		if (!strcmp(word, "$ref"))
			ok = check(value, definition(arg), at, depth);
		else if (!strcmp(word, "type"))
			ok = is_type(value, json_object_get_string(arg)) ||
			     deny(at, "it is not of the type %s", json_object_get_string(arg));
		else if (!strcmp(word, "const"))
			ok = json_object_equal(value, arg) ||
			     deny(at, "it is not %s", json_object_to_json_string(arg));
		else if (!strcmp(word, "enum"))
			ok = check_enum(value, arg, at);
		else if (!strcmp(word, "minimum") || !strcmp(word, "maximum"))
			ok = check_limit(value, arg, word[1] == 'i', at);
		else if (!strcmp(word, "required"))
			ok = check_required(value, arg, at);
		else if (!strcmp(word, "properties"))
			ok = check_properties(value, schema, at, depth);
		else if (!strcmp(word, "items"))
			ok = check_items(value, arg, at, depth);
		else if (!strcmp(word, "oneOf"))
			ok = check_one_of(value, arg, at, depth);
		else if (strcmp(word, "additionalProperties") && strcmp(word, "description") &&
			 strcmp(word, "title") && strcmp(word, "$schema") && strcmp(word, "$id") &&
			 strcmp(word, "$defs"))
			fail("'%s' is a keyword that this program does not know", word);
		if (!ok)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	unsigned long number = 0;
	char *line = NULL;
	size_t size = 0;
	int status = 0;

	root = argc == 2 ? json_object_from_file(argv[1]) : NULL;
	if (!root)
		fail("usage: check-json SCHEMA: %s", argc == 2 ? json_util_get_last_err() : "");
	while (getline(&line, &size, stdin) > 0) {
		struct json_object *value = json_tokener_parse(line);

		number++;
		if (!value)
			deny("", "it is not JSON");
		if (!value || !check(value, root, "", 0)) {
			printf("line %lu: %s: %.200s\n", number, reason, line);
			status = 1;
		}
		json_object_put(value);
	}
	free(line);
	json_object_put(root);
	return status;
}
