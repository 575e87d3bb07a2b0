// SPDX-License-Identifier: GPL-2.0
/*
 * peak.c - run a command, and print the maximum memory that it used, in kilobytes, at the end of standard
 * error
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (!pid) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 2;
	fprintf(stderr, "%ld\n", usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
