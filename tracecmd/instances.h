/* SPDX-License-Identifier: GPL-2.0 */
/* Instances of tracing that are ours, by the directory of all. */
#ifndef _RECORD_SKB_INSTANCES_H
#define _RECORD_SKB_INSTANCES_H

/* These return 0 or a negative errno. */
int instance_make(int instances, const char *name);
int instance_set(int instances, const char *name, const char *file, const char *value);

/* With what was recorded into it. One that is not there is no error. */
int instance_remove(int instances, const char *name);

#endif
