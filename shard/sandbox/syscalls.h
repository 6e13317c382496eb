#ifndef SHARD_SANDBOX_SYSCALLS_H
#define SHARD_SANDBOX_SYSCALLS_H
/*
 * System calls that a process gives up (seccomp), for itself and for all that it starts: they
 * fail with EPERM from then on.  What nobody needs here is always given up: to look into other
 * processes, to mount, to make namespaces, to load code into the kernel.
 */

#include <stdbool.h>

struct err;

/* What stays possible. */
struct syscall_policy {
	bool network;		/* sockets, but for pairs of this process's own */
	bool programs;		/* to start programs: which ones is landlock.h's */
	bool files;		/* modes, owners, times of files; sessions and groups; shared memory */
};

/* Whether the kernel has it and lets us use it. */
bool syscalls_supported(void);

/* From now on.  The process cannot gain privileges any more (no_new_privs).  INTERNAL. */
int syscalls_limit(const struct syscall_policy *, struct err *e);
#endif
