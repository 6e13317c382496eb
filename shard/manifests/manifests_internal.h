#ifndef SHARD_MANIFESTS_MANIFESTS_INTERNAL_H
#define SHARD_MANIFESTS_MANIFESTS_INTERNAL_H
/*
 * Shared by manifests.c (the table and the matching of its rows), package_references.c (how texts
 * name packages) and packages.c.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/record/record.h"

struct arena;
struct value_node;
struct value_tree;

enum { RULE_STEPS = 8, RULE_TURNS = 6 };

/*
 * Where the value of each field is: |-separated alternatives, of which the first that exists
 * counts.
 */
struct rule_fields {
	const char *name, *group, *range, *source, *path, *key, *with, *ref;
};

/* One row below a `manifest` row. */
struct manifest_rule {
	const char *side, *scope, *form, *file;		/* file: pattern of file names; NULL: all */
	const char *names; /* of `govern`: patterns of manifests; else NULL */
	const char *step[RULE_STEPS];
	size_t steps;
	struct rule_fields f;
	const char *condition;				/* PATH:VALUE, or NULL */
	/* PATH:VALUE, and the scope if it matches */
	struct { const char *when, *scope; } turn[RULE_TURNS];
	size_t turns;
	bool groups;					/* the scope comes from the enclosing group */
};

struct manifest_reader {
	struct value_tree *t;
	const char *path, *ecosystem;
	struct arena *a;
	struct package *v;	/* from grow() */
	size_t n, cap;
};

/* The value of a field of an item, or NULL. */
const char *rule_field(
    const struct manifest_reader *, const struct value_node *, const char *fields);

/* The folder of a path, in the arena; "" is the root. */
const char *manifest_folder(const char *path, struct arena *);

/* Whether the name of a file, which is the end of its path, matches one of |-separated patterns. */
bool manifest_name_matches(const char *patterns, const char *path);

/* Add a row, unless its name cannot be a package. */
void manifest_add_package(struct manifest_reader *, struct package);

/*
 * Processes a row before it is added, by the form of its rule: pep508 (a requirement of Python),
 * gav (Maven's coordinates, in all notations of Gradle), project (the path of a project file), and
 * those of lock_rows.c.
 */
typedef void manifest_form(struct manifest_reader *, const struct manifest_rule *,
    const struct value_node *, struct package);
manifest_form *manifest_form_of(const char *name);
manifest_form lock_form_installed, lock_form_descriptors, lock_form_pnpm, lock_form_ambiguous;

/* Complete a row of a lock file.  False if it pins nothing. */
bool lock_row_complete(struct manifest_reader *, struct package *);
#endif
