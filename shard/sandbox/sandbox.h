#ifndef SHARD_SANDBOX_SANDBOX_H
#define SHARD_SANDBOX_SANDBOX_H
/*
 * The restrictions of a child process that reads untrusted input: files (landlock.h), system calls
 * (syscalls.h) and, for root, capabilities.  --sandbox: `auto` uses what the kernel supports,
 * `require` fails if the kernel lacks a part, `off` restricts nothing.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/sandbox/landlock.h"	/* LANDLOCK_READ and so on */

struct arena;
struct err;

struct sandbox_path {
	const char *path;
	unsigned what;		/* LANDLOCK_ of landlock.h */
};

struct sandbox {
	const char *mode;	/* of --sandbox */
	bool network;		/* allow the network */
	bool programs;		/* allow the programs of sandbox_allow_program */
	bool trusted;		/* it runs only our code and git: allow all files and programs */
	struct sandbox_path *v;
	size_t n, cap;
	struct arena *a;	/* of the paths */
};

/* Allow the rights `what` (LANDLOCK_) at `path` and below it.  Copies the path. */
void sandbox_allow(struct sandbox *, const char *path, unsigned what);

/* Allow starting the program at `path`.  It must use the same dynamic loader as this program. */
void sandbox_allow_program(struct sandbox *, const char *path);

/* Allow the network, and the files for resolving hosts and checking certificates. */
void sandbox_allow_network(struct sandbox *);

/*
 * Forbid everything else from now on, except what all programs and libraries need of the system.
 * Call it while the process has one thread.  Frees `v`.  INVALID_INPUT if the mode is `require` and
 * the kernel lacks a part.
 */
int sandbox_enter(struct sandbox *, struct err *e);

/*
 * The effective restrictions on this machine, for people: `landlock (ABI 7), seccomp, no network`;
 * "" if there are none.
 */
const char *sandbox_describe(const char *mode, struct arena *);

/* Which restriction is missing, and why: `the kernel has no landlock`.  NULL if none is. */
const char *sandbox_lacks(const char *mode, struct arena *);

/* INVALID_INPUT if there is no such mode. */
int sandbox_check_mode(const char *mode, struct err *e);
#endif
