#ifndef SHARD_SANDBOX_SYSCALLS_H
#define SHARD_SANDBOX_SYSCALLS_H
/*
 * Restricts the system calls of a process and its children (seccomp): forbidden calls fail with
 * EPERM.  Calls that no child needs are always forbidden: inspecting other processes, mounting,
 * creating namespaces, loading code into the kernel.
 */

#include <stdbool.h>

struct err;

/* What stays allowed. */
struct syscall_policy {
	bool network;		/* sockets; a pair within this process is always allowed */
	bool programs;		/* starting programs; landlock.h decides which ones */
	bool files;		/* modes, owners, times of files; sessions and groups; shared memory */
};

/* Whether the kernel supports seccomp and lets us use it. */
bool syscalls_supported(void);

/* Apply it from now on.  The process can no longer gain privileges (no_new_privs).  INTERNAL. */
int syscalls_limit(const struct syscall_policy *, struct err *e);
#endif
