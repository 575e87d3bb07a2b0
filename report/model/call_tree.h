/* SPDX-License-Identifier: GPL-2.0 */
/*
 * call_tree.h - merge the call stacks of all packets into one tree
 *
 * The parent of a function is its caller. The root has the index 0. The outermost function that processes a
 * packet is a child of the root, even if its caller processes another packet.
 */
#ifndef _RECORD_SKB_CALL_TREE_H
#define _RECORD_SKB_CALL_TREE_H

#include "input/reader.h"

struct call_tree;

struct call_tree *call_tree_new(void);
void call_tree_free(struct call_tree *tree);

/* Add a function that was entered, as a child of its caller. */
void call_tree_enter(struct call_tree *tree, const struct moment *at,
		     const struct function *function);
/*
 * Remove a function from the open functions of its task, after it was left or abandoned.
 *
 * Return: the index of the function's node; 0 if the function belongs to no packet, or if there is not enough
 * memory.
 */
uint32_t call_tree_leave(struct call_tree *tree, const struct moment *at,
			 const struct function *function);

/* Return: the number of nodes. */
uint32_t call_tree_size(const struct call_tree *tree);
/* Return: the index of the caller's node. */
uint32_t call_tree_parent(const struct call_tree *tree, uint32_t node);
/* Return: the name of the function, NULL for the root. */
const struct name *call_tree_name(const struct call_tree *tree, uint32_t node);

#endif
