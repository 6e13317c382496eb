#ifndef SHARD_MANIFESTS_MANIFESTS_INTERNAL_H
#define SHARD_MANIFESTS_MANIFESTS_INTERNAL_H
/*
 * The parts of manifests: the table and how its rows fit (manifests), how texts name packages
 * (manifests_names).
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/record/record.h"

struct arena;
struct value_node;
struct value_tree;

enum { RULE_STEPS = 8, RULE_TURNS = 6 };

/*
 * Where the value of a field is: words with | between them, of which the first that is there
 * counts.
 */
struct rule_fields {
	const char *name, *group, *range, *source, *path, *key, *with, *ref;
};

/* One row below a `manifest` row. */
struct manifest_rule {
	const char *side, *scope, *form, *file;		/* file: only in files of that name; NULL: all */
	const char *step[RULE_STEPS];
	size_t steps;
	struct rule_fields f;
	const char *condition;				/* PATH:VALUE; NULL: none */
	/* PATH:VALUE, and the scope that it is then */
	struct { const char *when, *scope; } turn[RULE_TURNS];
	size_t turns;
	bool groups;					/* the scope is that of the group around */
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

/* Add a row, unless it names nothing that can be a package. */
void manifest_add_package(struct manifest_reader *, struct package);

/*
 * What is done with a row before it is put, by the form of its rule: pep508 (a requirement of
 * Python), gav (Maven's coordinates, in all that Gradle allows), project (the path of a project
 * file).
 */
typedef void manifest_form(struct manifest_reader *, const struct manifest_rule *,
    const struct value_node *, struct package);
manifest_form *manifest_form_of(const char *name);
#endif
