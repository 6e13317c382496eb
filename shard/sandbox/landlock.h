#ifndef SHARD_SANDBOX_LANDLOCK_H
#define SHARD_SANDBOX_LANDLOCK_H
/*
 * Landlock restricts the files that a process can use: whatever the ruleset does not allow fails
 * with EACCES, for this process and all its children.  A kernel applies the rights that it knows; a
 * kernel without Landlock has version 0.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;

enum {
	LANDLOCK_READ = 1,	/* read files below a path and list its folders */
	LANDLOCK_WRITE = 2,	/* write, create, remove and rename files below it */
	LANDLOCK_FOLDERS = 4,	/* create and remove folders, links and pipes */
	LANDLOCK_EXECUTE = 8
};

/* The version of the kernel's interface; 0 if it has none or does not let us use it. */
int landlock_version(void);

/* Exceptions from the restrictions. */
struct landlock_scope {
	bool writes_only;	/* restrict only writing, not reading, running programs and sockets */
	bool network;		/* TCP and abstract sockets stay allowed */
};

struct landlock {
	int fd;			/* of the ruleset */
	uint64_t files;		/* rights that the ruleset restricts */
};

/* Create a ruleset that allows nothing yet; landlock_enforce closes it.  INTERNAL. */
int landlock_begin(struct landlock *, const struct landlock_scope *, struct err *e);

/*
 * Allow the rights `what` (LANDLOCK_) at a path and below it.  A path that does not exist is
 * ignored.  INTERNAL.
 */
int landlock_allow(const struct landlock *, const char *path, unsigned what, struct err *e);

/*
 * Apply the ruleset to this process and close it.  The process can no longer gain privileges
 * (no_new_privs).  INTERNAL.
 */
int landlock_enforce(struct landlock *, struct err *e);
#endif
