/* SPDX-License-Identifier: GPL-2.0 */
/* screen.h - the terminal that standard output may be: how wide, whether in colour, and the pager */
#ifndef _REPORT_SKB_SCREEN_H
#define _REPORT_SKB_SCREEN_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct screen - what standard output is
 * @terminal: it is one, though a pager may stand before it
 * @colour: it shows colours, and they are wanted
 * @width: in columns
 * @pager: its process, 0 if there is none
 */
struct screen {
	bool terminal, colour;
	unsigned int width;
	pid_t pager;
};

/* Before the pager is started. */
struct screen screen_look(void);

/**
 * screen_page - from now on the user's pager shows what is written to a terminal
 * @screen: of screen_look()
 *
 * Nothing is done where standard output is no terminal, or nobody has a pager. What is said on standard
 * error goes to the pager, too, if it would go to a terminal.
 */
void screen_page(struct screen *screen);

/* Wait until the user has left the pager, if there is one. */
void screen_end(const struct screen *screen);

#endif
