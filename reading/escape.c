// SPDX-License-Identifier: LGPL-2.1
/* escape.c - make names safe for a terminal and for a shell; other users chose these names */
#include <stdio.h>
#include <string.h>

#include "escape.h"

/*
 * Characters that control a terminal, that change how other characters are shown, or that cannot be seen.
 */
static const struct range {
	uint32_t first, last;
} unsafe[] = {
	{ 0x00, 0x1f },	      /* C0 */
	{ 0x7f, 0x9f },	      /* DEL and C1 */
	{ 0xad, 0xad },	      /* soft hyphen */
	{ 0x34f, 0x34f },     /* combining grapheme joiner */
	{ 0x61c, 0x61c },     /* Arabic letter mark */
	{ 0x115f, 0x1160 },   /* Hangul fillers */
	{ 0x17b4, 0x17b5 },   /* invisible Khmer vowels */
	{ 0x180b, 0x180f },   /* Mongolian selectors */
	{ 0x200b, 0x200f },   /* characters of zero width, direction marks */
	{ 0x2028, 0x202e },   /* line ends, and characters that change the direction of text */
	{ 0x2060, 0x206f },   /* invisible operators, characters that isolate a direction */
	{ 0x3164, 0x3164 },   /* Hangul filler */
	{ 0xfdd0, 0xfdef },   /* noncharacters of Unicode */
	{ 0xfe00, 0xfe0f },   /* variation selectors */
	{ 0xfeff, 0xfeff },   /* byte order mark */
	{ 0xffa0, 0xffa0 },   /* Hangul filler */
	{ 0xfff0, 0xfffb },   /* interlinear annotations */
	{ 0xfffe, 0xffff },   /* noncharacters of Unicode */
	{ 0x1bca0, 0x1bca3 }, /* shorthand format controls */
	{ 0x1d173, 0x1d17a }, /* musical format controls */
	{ 0xe0000, 0xe0fff }, /* tags, variation selectors */
};

static bool is_unsafe(uint32_t character)
{
	if (character == NO_CHARACTER || (character & 0xfffe) == 0xfffe)
		return true;
	for (size_t i = 0; i < sizeof(unsafe) / sizeof(unsafe[0]); i++) {
		if (character >= unsafe[i].first && character <= unsafe[i].last)
			return true;
	}
	return false;
}

size_t decode_character(const char *text, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)text;
	const size_t n = bytes[0] < 0x80	   ? 1 :
			 (bytes[0] & 0xe0) == 0xc0 ? 2 :
			 (bytes[0] & 0xf0) == 0xe0 ? 3 :
			 (bytes[0] & 0xf8) == 0xf0 ? 4 :
						     0;
	uint32_t value = n == 1 ? bytes[0] : n ? bytes[0] & (0x7f >> n) : 0;

	for (size_t i = 1; i < n; i++) {
		if ((bytes[i] & 0xc0) != 0x80) {
			*character = NO_CHARACTER;
			return 1;
		}
		value = value << 6 | (bytes[i] & 0x3f);
	}
	if (!n || value < least[n] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
		*character = NO_CHARACTER;
		return 1;
	}
	*character = value;
	return n;
}

/*
 * Append @n bytes of @text at @at. Return: the position after these bytes; NULL if they do not fit before
 * @end.
 */
static char *put_bytes(char *at, const char *end, const char *text, size_t n)
{
	if (!at || n >= (size_t)(end - at))
		return NULL;
	memcpy(at, text, n);
	return at + n;
}

static size_t text_escape(char *escape, size_t size, unsigned char byte, uint32_t character)
{
	if (character == NO_CHARACTER || character < 0x80)
		return snprintf(escape, size, "\\x%02x", byte);
	return snprintf(escape, size, character > 0xffff ? "\\U%08x" : "\\u%04x", character);
}

static size_t json_escape(char *escape, size_t size, uint32_t character)
{
	if (character == NO_CHARACTER)
		character = 0xfffd;
	if (character <= 0xffff)
		return snprintf(escape, size, "\\u%04x", character);
	character -= 0x10000;
	return snprintf(escape, size, "\\u%04x\\u%04x", 0xd800 + (character >> 10),
			0xdc00 + (character & 0x3ff));
}

/* Return: true for the printable characters of ASCII, which are never escaped. */
static bool is_plain(char byte)
{
	return byte >= 0x20 && byte < 0x7f;
}

bool is_plain_text(const char *text)
{
	while (is_plain(*text))
		text++;
	return !*text;
}

static char *escape_into(char *buf, size_t size, const char *text, bool json)
{
	const char *end = buf + size;
	char *at = buf, *next;
	uint32_t character;
	char escaped[16];
	size_t n, length;

	for (; *text; text += n, at = next) {
		/* Most texts have only such characters. */
		for (; is_plain(*text) && at + 1 < end; text++)
			*at++ = *text;
		if (!*text)
			break;
		n = decode_character(text, &character);
		if (!is_unsafe(character)) {
			next = put_bytes(at, end, text, n);
		} else {
			length = json ? json_escape(escaped, sizeof(escaped), character) :
					text_escape(escaped, sizeof(escaped), *text, character);
			next = put_bytes(at, end, escaped, length);
		}
		if (!next)
			break;
	}
	*at = '\0';
	return buf;
}

char *escape_text(char *buf, size_t size, const char *name)
{
	return escape_into(buf, size, name, false);
}

char *escape_json(char *buf, size_t size, const char *json)
{
	return escape_into(buf, size, json, true);
}

static bool is_shown_as_it_is(const char *name)
{
	uint32_t character;
	size_t n;

	for (; *name; name += n) {
		n = decode_character(name, &character);
		if (is_unsafe(character))
			return false;
	}
	return true;
}

/* Append a byte of a word in single quotes. Inside such quotes, only the quote itself needs an escape. */
static char *put_quoted(char *at, const char *end, char byte)
{
	return byte == '\'' ? put_bytes(at, end, "'\\''", 4) : put_bytes(at, end, &byte, 1);
}

/*
 * Append a byte to a format string of printf. All bytes except letters and digits are written as octal
 * escapes, so that they have no special meaning to printf or to the shell.
 */
static char *put_octal(char *at, const char *end, char byte)
{
	char octal[5];

	if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
	    (byte >= 'a' && byte <= 'z'))
		return put_bytes(at, end, &byte, 1);
	snprintf(octal, sizeof(octal), "\\%03o", (unsigned char)byte);
	return put_bytes(at, end, octal, 4);
}

static char *put_word(char *at, const char *end, const char *name)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@+,-";
	const size_t len = strlen(name);

	if (len && strspn(name, plain) == len)
		return put_bytes(at, end, name, len);
	if (is_shown_as_it_is(name)) {
		at = put_bytes(at, end, "'", 1);
		for (; *name; name++)
			at = put_quoted(at, end, *name);
		return put_bytes(at, end, "'", 1);
	}
	/*
	 * A name that ends with a newline cannot be written in this way, because the shell removes newlines
	 * from the end of a command's output.
	 */
	if (name[len - 1] == '\n')
		return NULL;
	at = put_bytes(at, end, "\"$(printf '", 11);
	for (; *name; name++)
		at = put_octal(at, end, *name);
	return put_bytes(at, end, "')\"", 3);
}

char *escape_shell(char *buf, size_t size, const char *name)
{
	char *at = put_word(buf, buf + size, name);

	if (!at)
		return NULL;
	*at = '\0';
	return buf;
}
