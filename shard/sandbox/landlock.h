#ifndef SHARD_SANDBOX_LANDLOCK_H
#define SHARD_SANDBOX_LANDLOCK_H
/*
 * Landlock, by which a process gives up files: what a ruleset does not allow fails with EACCES,
 * for this process and for all that it starts.  Each kernel takes the rights that it knows; one
 * without Landlock has version 0.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;

enum {
	LANDLOCK_READ = 1,	/* files below a path, and lists of folders */
	LANDLOCK_WRITE = 2,	/* files below it: also make, remove and rename them */
	LANDLOCK_FOLDERS = 4,	/* the same with folders, links and pipes */
	LANDLOCK_EXECUTE = 8
};

/* The version of its interface; 0: the kernel has none, or does not let us use it. */
int landlock_version(void);

/* What is given up. */
struct landlock_scope {
	bool writes_only;	/* reading, running programs and making sockets stay allowed everywhere */
	bool network;		/* TCP and abstract sockets stay allowed, as far as Landlock knows them */
};

struct landlock {
	int fd;			/* of the ruleset */
	uint64_t files;		/* rights that it takes away */
};

/* A ruleset that allows nothing yet, for landlock_enforce to use and close.  INTERNAL. */
int landlock_begin(struct landlock *, const struct landlock_scope *, struct err *e);

/* Allow what is at a path and below it.  A path that is not there allows nothing.  INTERNAL. */
int landlock_allow(const struct landlock *, const char *path, unsigned what, struct err *e);

/* From now on.  The process cannot gain privileges any more (no_new_privs).  INTERNAL. */
int landlock_enforce(struct landlock *, struct err *e);
#endif
