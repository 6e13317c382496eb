#ifndef SHARD_SANDBOX_SANDBOX_H
#define SHARD_SANDBOX_SANDBOX_H
/*
 * What a child process of the shard gives up before it looks at anything that others have
 * written: files (landlock.h), system calls (syscalls.h) and, as root, capabilities.  --sandbox:
 * `auto` takes what the kernel has, `require` fails where it lacks a part, `off` gives up
 * nothing.
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
	bool network;		/* stays allowed */
	bool programs;		/* may be started: those of sandbox_allow_program */
	bool trusted;		/* it runs our code and git: files may be read, any program started */
	struct sandbox_path *v;
	size_t n, cap;
	struct arena *a;	/* of the paths */
};

/* Allow what is at `path`, which is copied, and below it. */
void sandbox_allow(struct sandbox *, const char *path, unsigned what);

/* Allow to start the program at `path`, which needs the same loader as this one. */
void sandbox_allow_program(struct sandbox *, const char *path);

/* What reaches other machines: names of hosts, certificates of authorities. */
void sandbox_allow_network(struct sandbox *);

/*
 * Give up all else, from now on; what programs and libraries need of the system is allowed.  Call
 * it while the process has one thread. Frees `v`.  INVALID_INPUT: the mode is `require`, and the
 * kernel lacks a part.
 */
int sandbox_enter(struct sandbox *, struct err *e);

/*
 * What it comes to on this machine, for people: `landlock (ABI 7), seccomp, no network`; "": to
 * nothing.
 */
const char *sandbox_describe(const char *mode, struct arena *);

/* What of that is missing, and why: `the kernel has no landlock`.  NULL: nothing. */
const char *sandbox_lacks(const char *mode, struct arena *);

/* INVALID_INPUT: there is no such mode. */
int sandbox_check_mode(const char *mode, struct err *e);
#endif
