#ifndef COORDINATOR_CLI_UP_CODEBASE_ROOT_H
#define COORDINATOR_CLI_UP_CODEBASE_ROOT_H
/* The folder of --codebase-root: repositories that are put into it while `atoll up` runs join. */

#include <stdint.h>

struct arena;
struct codebase_root;
struct string_list;

/* `sources` are those that are registered already, in the form of source_resolve. */
struct codebase_root *codebase_root_new(const char *dir, const struct string_list *sources);
void codebase_root_free(struct codebase_root *);	/* NULL is fine */

/*
 * The repositories that have appeared in the folder, in the form of source_resolve and in `a`; each
 * is returned once.  Cheap enough to be called every second: git runs only for folders that look
 * like a repository, and again for those that have no commit yet only every few seconds.
 */
void codebase_root_appeared(struct codebase_root *, struct string_list *out, struct arena *a);

/* Return this one again. */
void codebase_root_forget(struct codebase_root *, const char *source);
#endif
