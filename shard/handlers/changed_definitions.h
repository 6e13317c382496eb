#ifndef SHARD_HANDLERS_CHANGED_DEFINITIONS_H
#define SHARD_HANDLERS_CHANGED_DEFINITIONS_H
/*
 * Which definitions of a file a change touches, from its definitions before and after and the
 * lines that differ.  Pure.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct definition;
struct facts;
struct diff_hunk;

/* A file before or after. */
struct file_version {
	const struct facts *facts;	/* NULL: not known, or there is no such file */
	const char *text;		/* NULL: not known */
	size_t n;
};

enum edit_kind { EDIT_CHANGED, EDIT_ADDED, EDIT_REMOVED, EDIT_RENAMED };

struct definition_edit {
	enum edit_kind kind;
	/* NULL on the side where it is not; both NULL: the file outside of definitions */
	const struct definition *old, *now;
};

struct definition_edits {
	struct definition_edit *v;	/* removed ones last */
	size_t n, cap;
};

/*
 * Add the changes between two versions.  A line belongs to the innermost definition around it, the
 * comments and decorators above a definition to that one; blank lines say nothing.  Definitions
 * are the same when qualified name and kind are; one that is gone and one that is new, with most
 * of their lines in common, were renamed.  The caller frees out->v.
 */
void definition_edits_find(const struct file_version *old, const struct file_version *now,
    const struct diff_hunk *, size_t n, struct definition_edits *out, struct arena *);
#endif
