/* SPDX-License-Identifier: GPL-2.0 */
/* Functions whose calls a live patch, or another user of ftrace, leads elsewhere. */
#ifndef _RECORD_SKB_REDIRECTED_H
#define _RECORD_SKB_REDIRECTED_H

#include "strlist.h"

/* Add the names of all such functions: ftrace lets only one user at a time redirect a function. */
void redirected_read(struct strings *redirected);

/**
 * redirected_by - who redirects a function
 * @redirected: from redirected_read()
 * @function: its name
 *
 * Returns words for the user, to be freed; NULL if nobody does.
 */
char *redirected_by(const struct strings *redirected, const char *function);

/* Leave out those that no live patch leads elsewhere: another recording does, with which we share them. */
void redirected_keep_patched(struct strings *redirected);

/*
 * The first of @functions that BPF's fentry or fexit is called at while nobody redirects it, to be freed;
 * NULL if there is none. Whoever redirects a function has to tell BPF, which happens where a user of ftrace
 * begins, not where one gets more functions: as the module does for a recording that comes to another.
 */
char *called_directly(const struct strings *functions);

#endif
