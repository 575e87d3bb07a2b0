// SPDX-License-Identifier: GPL-2.0
/*
 * restore.c - restore the settings of tracing when a recorder is killed
 *
 * The recorder normally restores the settings itself. But the recorder may be killed, together with all
 * other processes of its cgroup, and function_graph would then stay on permanently. Therefore user space
 * passes the module in advance a list of the files to write. If the file of the session is closed before
 * the list is removed, the module writes these files.
 *
 * A tracefs file can only be written from user memory, and a kernel thread has no user memory. Therefore
 * the module keeps a reference to the recorder's address space. The recorder has reserved some memory in it
 * for this purpose. This memory has to be shared memory, because the OOM killer frees all private memory of
 * a process that it kills.
 *
 * The callers of all functions except restore_new() and restore_free() hold session_lock. The worker does
 * not hold it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/magic.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/userfaultfd_k.h>
#include <linux/workqueue.h>

#include "compat/rude.h"
#include "compat/trace_array.h"
#include "function_graph.h"
#include "restore.h"

#define MAX_TEXT (1U << 20)

/* After this many attempts, the module sends SIGKILL instead of the signal of struct process. */
#define PATIENCE 40

/**
 * struct setting - one file to be written, or one instance to be removed
 * @path: the file; its dentry is NULL for an instance
 * @flags: RECORD_SKB_SETTING_*
 * @text: the text to write, or the name of the instance to remove
 * @length: length of @text
 * @done: true if nothing is left to do for this setting
 * @was_early: true if the setting was written before all processes had ended
 */
struct setting {
	struct path path;
	u32 flags;
	char *text;
	u32 length;
	bool done, was_early;
};

/**
 * struct process - a process that uses tracing for the recording
 * @pid: reference to the struct pid of the process
 * @signal: signal to send when all processes without a signal have ended; 0 if the process ends by itself
 */
struct process {
	struct pid *pid;
	int signal;
};

/**
 * struct restore - all that has to be restored for one recording
 * @list: entry in the list pending
 * @mm: the recorder's address space
 * @memory: address in @mm of the memory from which files are written
 * @memory_size: size of @memory
 * @settings: the settings, in the order in which they are restored
 * @nr_settings: number of settings
 * @processes: processes that must end before the settings without RECORD_SKB_SETTING_EARLY are restored
 * @nr_processes: number of processes
 * @shared: true if the list belongs to all sessions that record at the same time
 * @attempts: number of attempts of the worker so far
 */
struct restore {
	struct list_head list;
	struct mm_struct *mm;
	char __user *memory;
	u32 memory_size;
	struct setting *settings;
	u32 nr_settings;
	struct process *processes;
	u32 nr_processes;
	bool shared;
	u32 attempts;
};

/* Protects the next two variables. Not held while settings are restored. */
static DEFINE_MUTEX(pending_lock);
/*
 * pending contains the lists to be restored, except those that the worker is handling at the moment.
 * nr_pending is the number of all lists to be restored.
 */
static LIST_HEAD(pending);
static u32 nr_pending;

static void work_on_pending(struct work_struct *work);
static DECLARE_DELAYED_WORK(pending_work, work_on_pending);

static int take_text(struct setting *s, const struct record_skb_setting *want)
{
	char *text;

	if (!want->length)
		return 0;
	text = vmemdup_user(u64_to_user_ptr(want->text), want->length);
	if (IS_ERR(text))
		return PTR_ERR(text);
	s->text = text;
	s->length = want->length;
	return 0;
}

/*
 * Take a reference to a file of the list. Only files of tracefs are accepted, so that the module cannot be
 * made to write other files.
 */
static int take_path(struct setting *s, int fd)
{
	struct file *file = fget_raw(fd);
	int err = 0;

	if (!file)
		return -EBADF;
	if (file_inode(file)->i_sb->s_magic != TRACEFS_MAGIC || !S_ISREG(file_inode(file)->i_mode))
		err = -EINVAL;
	if (!err) {
		s->path = file->f_path;
		path_get(&s->path);
	}
	fput(file);
	return err;
}

static bool is_name(const struct setting *s)
{
	return s->length > 1 && s->length <= NAME_MAX && !s->text[s->length - 1] &&
	       strlen(s->text) == s->length - 1 && !strchr(s->text, '/');
}

static int take_setting(struct setting *s, const struct record_skb_setting *want)
{
	const u32 flags = RECORD_SKB_SETTING_TRUNCATE | RECORD_SKB_SETTING_EARLY |
			  RECORD_SKB_SETTING_GRAPH_OFF | RECORD_SKB_SETTING_INSTANCE;
	int err;

	if (want->flags & ~flags || want->reserved || want->length > MAX_TEXT)
		return -EINVAL;
	s->flags = want->flags;
	err = take_text(s, want);
	if (err)
		return err;
	if (!(want->flags & RECORD_SKB_SETTING_INSTANCE))
		return take_path(s, want->fd);
	return is_name(s) ? 0 : -EINVAL;
}

static int take_settings(struct restore *r, const struct record_skb_restore *want)
{
	const struct record_skb_setting __user *from = u64_to_user_ptr(want->settings);
	struct record_skb_setting one;
	int err = 0;

	r->settings = kvcalloc(want->nr_settings, sizeof(*r->settings), GFP_KERNEL);
	if (!r->settings)
		return -ENOMEM;
	while (!err && r->nr_settings < want->nr_settings) {
		if (copy_from_user(&one, from + r->nr_settings, sizeof(one)))
			return -EFAULT;
		err = take_setting(&r->settings[r->nr_settings++], &one);
	}
	return err;
}

/*
 * Return: true if an access to the memory of the recorder never waits for user space: the memory is shared
 * memory of the kernel and not of a device, and userfaultfd does not handle its page faults. The worker
 * must not wait, because later recordings wait for the worker.
 */
static bool is_memory_safe(const struct restore *r)
{
	const unsigned long start = (unsigned long)r->memory;
	struct vm_area_struct *vma;
	bool is_safe;

	mmap_read_lock(r->mm);
	vma = find_vma(r->mm, start);
	is_safe = vma && vma->vm_start <= start && vma->vm_end - start >= r->memory_size &&
		  vma->vm_flags & VM_WRITE && vma->vm_file &&
		  file_inode(vma->vm_file)->i_sb->s_magic == TMPFS_MAGIC &&
		  S_ISREG(file_inode(vma->vm_file)->i_mode) && !userfaultfd_armed(vma);
	mmap_read_unlock(r->mm);
	return is_safe;
}

/**
 * restore_new() - take a list of settings
 * @want: the list, from the calling process
 *
 * Return: the list, -ENOMEM, or an error as documented at struct record_skb_restore.
 */
struct restore *restore_new(const struct record_skb_restore *want)
{
	struct restore *r;
	int err;

	if (!want->nr_settings || want->nr_settings > RECORD_SKB_MAX_SETTINGS ||
	    want->memory_size < PAGE_SIZE || want->flags & ~RECORD_SKB_RESTORE_SHARED)
		return ERR_PTR(-EINVAL);
	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return ERR_PTR(-ENOMEM);
	err = take_settings(r, want);
	if (err) {
		restore_free(r);
		return ERR_PTR(err);
	}
	r->memory = u64_to_user_ptr(want->memory);
	r->memory_size = want->memory_size;
	r->shared = want->flags & RECORD_SKB_RESTORE_SHARED;
	r->mm = current->mm;
	mmget(r->mm);
	if (is_memory_safe(r))
		return r;
	restore_free(r);
	return ERR_PTR(-EINVAL);
}

static void setting_done(struct setting *s)
{
	s->done = true;
	if (s->path.dentry)
		path_put(&s->path);
	s->path = (struct path){};
}

/* Free a list, which may be NULL. */
void restore_free(struct restore *r)
{
	u32 i;

	if (!r)
		return;
	for (i = 0; i < r->nr_settings; i++) {
		setting_done(&r->settings[i]);
		kvfree(r->settings[i].text);
	}
	for (i = 0; i < r->nr_processes; i++)
		put_pid(r->processes[i].pid);
	kvfree(r->settings);
	kvfree(r->processes);
	if (r->mm)
		mmput(r->mm);
	kfree(r);
}

/**
 * restore_add_process() - wait for another process before settings are restored
 * @r: the list of an open session
 * @process: the process, in the caller's pid namespace; 0 for the caller
 *
 * Return: 0; -ESRCH if the process does not exist; -ENOSPC; -EINVAL; -ENOMEM.
 */
int restore_add_process(struct restore *r, const struct record_skb_process *process)
{
	struct process *more;

	if (process->pid < 0 || process->signal < 0 || !valid_signal(process->signal))
		return -EINVAL;
	if (r->nr_processes == RECORD_SKB_MAX_PROCESSES)
		return -ENOSPC;
	more = kvcalloc(r->nr_processes + 1, sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	memcpy(more, r->processes, r->nr_processes * sizeof(*more));
	more[r->nr_processes].pid = process->pid ? find_get_pid(process->pid) :
						   get_pid(task_tgid(current));
	more[r->nr_processes].signal = process->signal;
	if (!more[r->nr_processes].pid) {
		kvfree(more);
		return -ESRCH;
	}
	kvfree(r->processes);
	r->processes = more;
	r->nr_processes++;
	return 0;
}

/*
 * Return: true if the process has ended. A zombie has ended, too: its files are closed, even if its parent
 * has not waited for it yet.
 */
static bool has_ended(const struct process *p)
{
	struct task_struct *task;
	bool ended;

	rcu_read_lock();
	task = pid_task(p->pid, PIDTYPE_TGID);
	ended = !task || (thread_group_empty(task) && task->exit_state);
	rcu_read_unlock();
	return ended;
}

/*
 * Return: true if all processes have ended. Processes with a signal get it as soon as all others have ended.
 */
static bool all_have_ended(const struct restore *r)
{
	bool others = true, all = true;
	u32 i;

	for (i = 0; i < r->nr_processes; i++) {
		if (has_ended(&r->processes[i]))
			continue;
		all = false;
		if (!r->processes[i].signal)
			others = false;
	}
	for (i = 0; others && i < r->nr_processes; i++)
		if (r->processes[i].signal)
			kill_pid(r->processes[i].pid,
				 r->attempts < PATIENCE ? r->processes[i].signal : SIGKILL, 1);
	return all;
}

static int write_text(const struct restore *r, const struct setting *s, struct file *file)
{
	u32 at = 0, n;
	loff_t pos = 0;
	ssize_t ret;

	while (at < s->length) {
		n = min(s->length - at, r->memory_size);
		if (copy_to_user(r->memory, s->text + at, n))
			return -EFAULT;
		ret = file->f_op->write(file, r->memory, n, &pos);
		if (ret <= 0)
			return ret ?: -EIO;
		at += ret;
	}
	return 0;
}

static int write_setting(const struct restore *r, const struct setting *s)
{
	const int truncate = s->flags & RECORD_SKB_SETTING_TRUNCATE ? O_TRUNC : 0;
	struct file *file;
	int err;

	file = dentry_open(&s->path, O_WRONLY | truncate, current_cred());
	if (IS_ERR(file))
		return PTR_ERR(file);
	if (file->f_op->write && is_memory_safe(r)) {
		kthread_use_mm(r->mm);
		err = write_text(r, s, file);
		kthread_unuse_mm(r->mm);
	} else {
		err = -EINVAL;
	}
	/* Some tracefs files only take effect when they are closed. */
	__fput_sync(file);
	return err;
}

/*
 * Remove a tracing instance. If the instance does not exist any more, getting it by name creates it again.
 * If the instance cannot be created, there is nothing to remove.
 */
static int remove_instance(const char *name)
{
	struct trace_array *instance = compat_trace_array_get(name);

	if (!instance)
		return 0;
	trace_array_put(instance);
	return trace_array_destroy(instance);
}

static int restore_setting(const struct restore *r, const struct setting *s)
{
	if (s->flags & RECORD_SKB_SETTING_INSTANCE)
		return remove_instance(s->text);
	/*
	 * Another session may still be recording. Without the module's gates, its function_graph would
	 * record everything.
	 */
	if (s->flags & RECORD_SKB_SETTING_GRAPH_OFF &&
	    (COMPAT_RUDE_WAITS_FOR_NOTHING || r->shared) && fgraph_users_graph_is_on())
		return -EBUSY;
	return write_setting(r, s);
}

/*
 * Return: true if a later attempt may succeed in spite of this error. Other errors are permanent, for example
 * because a function or a process does not exist any more. The memory of the recorder exists, but its pages
 * may be in the swap space: -EFAULT then means that memory is short.
 */
static bool is_for_now(int err)
{
	return err == -EBUSY || err == -ENOMEM || err == -EFAULT || err == -EAGAIN || err == -EINTR;
}

/* Print once which process keeps the settings from being restored. */
static void say_process(const struct restore *r)
{
	u32 i;

	for (i = 0; r->attempts == PATIENCE && i < r->nr_processes; i++)
		if (!has_ended(&r->processes[i]))
			pr_notice(
				"tracing is restored when process %d of a killed recording has ended\n",
				pid_nr(r->processes[i].pid));
}

static void say_setting(const struct restore *r, const struct setting *s, int err)
{
	if (r->attempts != PATIENCE)
		return;
	if (s->flags & RECORD_SKB_SETTING_INSTANCE)
		pr_notice("tracing instance %s of a killed recording cannot be removed yet: %pe\n",
			  s->text, ERR_PTR(err));
	else
		pr_notice(
			"tracing file %pd2 cannot be restored yet after a killed recording: %pe\n",
			s->path.dentry, ERR_PTR(err));
}

/* Restore the settings of a list, as far as possible now. Return: true if no setting is left. */
static bool work_on(struct restore *r)
{
	int err;
	u32 i;

	r->attempts++;
	for (i = 0; i < r->nr_settings; i++)
		if (r->settings[i].flags & RECORD_SKB_SETTING_EARLY && !r->settings[i].done &&
		    !r->settings[i].was_early)
			r->settings[i].was_early = !restore_setting(r, &r->settings[i]);
	if (!all_have_ended(r)) {
		say_process(r);
		return false;
	}
	for (i = 0; i < r->nr_settings; i++) {
		if (r->settings[i].done)
			continue;
		err = restore_setting(r, &r->settings[i]);
		if (is_for_now(err)) {
			say_setting(r, &r->settings[i], err);
			return false;
		}
		setting_done(&r->settings[i]);
	}
	return true;
}

static void schedule_attempt(u32 attempts)
{
	schedule_delayed_work(&pending_work, msecs_to_jiffies(min(20 + attempts * 10, 5000U)));
}

static void work_on_pending(struct work_struct *work)
{
	struct restore *r, *next;
	u32 attempts = ~0U, done = 0;
	LIST_HEAD(todo);

	mutex_lock(&pending_lock);
	list_splice_init(&pending, &todo);
	mutex_unlock(&pending_lock);
	list_for_each_entry_safe(r, next, &todo, list) {
		if (!work_on(r)) {
			attempts = min(attempts, r->attempts);
			continue;
		}
		list_del(&r->list);
		restore_free(r);
		module_put(THIS_MODULE);
		done++;
	}
	mutex_lock(&pending_lock);
	list_splice(&todo, &pending);
	nr_pending -= done;
	if (nr_pending)
		schedule_attempt(attempts);
	mutex_unlock(&pending_lock);
}

/**
 * restore_start() - restore the settings that a closed session has left
 * @r: the list, or NULL; it is freed when all settings are restored
 *
 * This function does not wait: a worker restores the settings. The module stays loaded until all settings
 * are restored.
 */
void restore_start(struct restore *r)
{
	if (!r)
		return;
	__module_get(THIS_MODULE);
	mutex_lock(&pending_lock);
	list_add_tail(&r->list, &pending);
	nr_pending++;
	/* The worker may be waiting to retry another list. Run it now. */
	cancel_delayed_work(&pending_work);
	schedule_delayed_work(&pending_work, 0);
	mutex_unlock(&pending_lock);
}

/* Return: true if settings of an earlier recording are not restored yet. */
bool restore_is_pending(void)
{
	bool is;

	mutex_lock(&pending_lock);
	is = nr_pending;
	mutex_unlock(&pending_lock);
	return is;
}

/* Make the next attempt to restore pending settings now. */
void restore_try(void)
{
	if (restore_is_pending())
		flush_delayed_work(&pending_work);
}

/*
 * Wait for the worker. When the module is unloaded, no list is pending, but the worker may still be
 * running.
 */
void restore_exit(void)
{
	cancel_delayed_work_sync(&pending_work);
}
