#ifndef SHARD_HANDLERS_CHANGED_DEFINITIONS_H
#define SHARD_HANDLERS_CHANGED_DEFINITIONS_H
/*
 * Which definitions of a file a change touches, computed from its definitions before and after and
 * the lines that differ. Has no side effects.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct definition;
struct facts;
struct diff_hunk;

/* A file before or after the change. */
struct file_version {
	const struct facts *facts;	/* NULL if unknown, or if there is no such file */
	const char *text;		/* NULL if unknown */
	size_t n;
};

enum edit_kind { EDIT_CHANGED, EDIT_ADDED, EDIT_REMOVED, EDIT_RENAMED };

struct definition_edit {
	enum edit_kind kind;
	/* NULL on the side where it does not exist; both NULL: the file outside of definitions */
	const struct definition *old, *now;
};

struct definition_edits {
	struct definition_edit *v;	/* removed ones last */
	size_t n, cap;
};

/*
 * Adds the changes between two versions. A line belongs to the innermost definition around it, the
 * comments and decorators above a definition belong to that one; blank lines are ignored.
 * Definitions are the same if qualified name and kind are; a removed and an added one with most
 * lines in common count as renamed. The caller frees out->v.
 */
void definition_edits_find(const struct file_version *old, const struct file_version *now,
    const struct diff_hunk *, size_t n, struct definition_edits *out, struct arena *);
#endif
