// SPDX-License-Identifier: GPL-2.0
/*
 * large-reads.c - a file of the kernel that is written anew for each read gets a larger buffer
 *
 * A read of a seq_file returns what its buffer holds, a page, and some files look for their place from the
 * beginning each time. So the kernel gives some of its own a larger one (single_open_size()).
 */
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>

#include "large-reads.h"

#define MOST SZ_1M

/*
 * Whoever is read from by seq_read() is one, and what is open to be written only may be something else under
 * the same name (ftrace's filters). Of tracefs only: nobody asks for more.
 */
static bool is_seq_file(const struct file *file)
{
	return file->f_op->read == seq_read && file->f_mode & FMODE_READ && file->private_data &&
	       file_inode(file)->i_sb->s_magic == TRACEFS_MAGIC;
}

/* Of a file that nobody has read from yet. */
static int give_buffer(struct seq_file *m, u32 bytes)
{
	char *buf = kvmalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	int err = 0;

	if (!buf)
		return -ENOMEM;
	mutex_lock(&m->lock);
	if (m->buf) {
		err = -EBUSY;
	} else {
		m->buf = buf;
		m->size = bytes;
		buf = NULL;
	}
	mutex_unlock(&m->lock);
	kvfree(buf);
	return err;
}

/* large_reads() - what RECORD_SKB_LARGE_READS asks for. May sleep. */
int large_reads(const struct record_skb_large_reads *want)
{
	struct file *file;
	int err = -EINVAL;

	if (want->bytes < PAGE_SIZE || want->bytes > MOST)
		return -EINVAL;
	file = fget(want->fd);
	if (!file)
		return -EBADF;
	if (is_seq_file(file))
		err = give_buffer(file->private_data, want->bytes);
	fput(file);
	return err;
}
