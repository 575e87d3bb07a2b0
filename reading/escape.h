/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * escape.h - make names that other users chose safe for a terminal and for a shell
 *
 * In a user namespace, an unprivileged user can name devices, nftables tables, tasks and rules. A name may
 * hold escape sequences for the terminal, or commands for the shell.
 */
#ifndef _RECORD_SKB_ESCAPE_H
#define _RECORD_SKB_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Not a code point: the byte belongs to no character. */
#define NO_CHARACTER UINT32_MAX

/**
 * decode_character - read the next character of a text in UTF-8
 * @text: any bytes, with a terminator
 * @character: set to the code point, or to NO_CHARACTER
 *
 * Return: the number of bytes of the character; 1 for a byte that belongs to none.
 */
size_t decode_character(const char *text, uint32_t *character);

/* Room for the text of a name of that many bytes, with its terminator. */
#define ESCAPED_LEN(bytes) (4 * (bytes) + 1)

/**
 * escape_text - write a name as a terminal may show it
 * @buf: receives the text; cut to fit, but never inside an escape or a character
 * @size: bytes of @buf, at least 1
 * @name: any bytes
 *
 * Control characters and bytes that are not UTF-8 become "\x1b"; characters beyond ASCII that control the
 * terminal, turn the direction of writing or cannot be seen become "\u202e". The rest is left as it is,
 * backslashes too, so that escaping a text twice changes nothing.
 *
 * Return: @buf.
 */
char *escape_text(char *buf, size_t size, const char *name);

/* Size of the escaped form of a name of that many bytes, with its terminating null. */
#define SHELL_WORD_LEN(bytes) (4 * (bytes) + 16)

/**
 * escape_shell - write a name as a word that a POSIX shell reads as exactly that name
 * @buf: receives the word: plain, in quotes, or as the output of printf if a terminal must not show it
 * @size: bytes of @buf
 * @name: any bytes
 *
 * A word that begins with "-" is still an option to the program that gets it.
 *
 * Return: @buf; NULL if the word does not fit, or if the name ends with a newline: no short word means that.
 */
char *escape_shell(char *buf, size_t size, const char *name);

/**
 * escape_json - write a serialized JSON text so that a terminal may show it
 * @buf: receives the same JSON; cut to fit
 * @size: bytes of @buf, at least 1; ESCAPED_LEN(strlen(@json)) always suffices
 * @json: valid JSON in UTF-8, without control characters between its words
 *
 * JSON demands escapes for the control characters of ASCII only. Here all that escape_text() escapes becomes
 * "\u009b", beyond U+FFFF a pair of surrogates.
 *
 * Return: @buf.
 */
char *escape_json(char *buf, size_t size, const char *json);

#ifdef __cplusplus
}
#endif

#endif /* _RECORD_SKB_ESCAPE_H */
