/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * escape.h - make names safe for a terminal and for a shell; other users chose these names
 *
 * In a user namespace, an unprivileged user can name devices, nftables tables, tasks and rules. A name may
 * contain escape sequences for the terminal, or commands for the shell.
 */
#ifndef _RECORD_SKB_ESCAPE_H
#define _RECORD_SKB_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Value for a byte that is not part of a valid character. It is not a code point. */
#define NO_CHARACTER UINT32_MAX

/**
 * decode_character - read the next character of a text in UTF-8
 * @text: any bytes, with a terminator
 * @character: set to the code point, or to NO_CHARACTER
 *
 * Return: the number of bytes of the character; 1 for a byte that is not part of a valid character.
 */
size_t decode_character(const char *text, uint32_t *character);

/*
 * Return: true if all characters of the text are printable characters of ASCII. Such a text needs no escapes
 * on a terminal.
 */
bool is_plain_text(const char *text);

/* Size of the escaped text of a name of @bytes bytes, with the terminating null byte. */
#define ESCAPED_LEN(bytes) (4 * (bytes) + 1)

/**
 * escape_text - escape a name, so that it can be printed on a terminal
 * @buf: receives the text. A text that is too long is cut, but never inside an escape or a character
 * @size: bytes of @buf, at least 1
 * @name: any bytes
 *
 * Control characters and bytes that are not UTF-8 are written like "\x1b". Other characters that control the
 * terminal, change the direction of writing or cannot be seen are written like "\u202e". All other
 * characters stay the same, even backslashes, so that escaping a text again changes nothing.
 *
 * Return: @buf.
 */
char *escape_text(char *buf, size_t size, const char *name);

/* Size of the shell word for a name of @bytes bytes, with the terminating null byte. */
#define SHELL_WORD_LEN(bytes) (4 * (bytes) + 16)

/**
 * escape_shell - write a name as a word that a POSIX shell reads as exactly that name
 * @buf: receives the word: the name itself, the name in quotes, or a call of printf if the name has
 *	characters that a terminal must not show
 * @size: bytes of @buf
 * @name: any bytes
 *
 * This function does not change a leading "-", so a program may take such a word for an option.
 *
 * Return: @buf; NULL if the word does not fit, or if the name ends with a newline. A call of printf cannot
 * produce such a name, because the shell removes newlines from the end of a command's output.
 */
char *escape_shell(char *buf, size_t size, const char *name);

/**
 * escape_json - escape a serialized JSON text, so that it can be printed on a terminal
 * @buf: receives the same JSON; cut to fit
 * @size: bytes of @buf, at least 1; ESCAPED_LEN(strlen(@json)) always suffices
 * @json: valid JSON in UTF-8, without control characters between its values
 *
 * JSON requires escapes only for the control characters of ASCII. This function escapes the same characters
 * as escape_text(), written like "\u009b". Characters beyond U+FFFF become a surrogate pair.
 *
 * Return: @buf.
 */
char *escape_json(char *buf, size_t size, const char *json);

#ifdef __cplusplus
}
#endif

#endif /* _RECORD_SKB_ESCAPE_H */
