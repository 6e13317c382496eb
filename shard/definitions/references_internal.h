#ifndef SHARD_DEFINITIONS_REFERENCES_INTERNAL_H
#define SHARD_DEFINITIONS_REFERENCES_INTERNAL_H
/*
 * Between references.c, references_of_node.c (what a node uses, by its rules), locals.c and
 * imports.c.
 */

#include "shard/definitions/expression.h"
#include "shard/definitions/local_names.h"
#include "shard/definitions/references.h"

enum { MAX_REFERENCES = 200000, MAX_LOCALS = 50000, MAX_IMPORTS = 20000, MAX_BASES = 20000 };

/* An import statement that the walk is in, or a prefix for the names in it. */
struct open_import {
	const struct import_rule *rule;
	uint32_t depth;
	TSNode node;
	const char *module;		/* NULL: each part is one */
	const char *alias, *name;	/* of the statement itself */
	int definition;
	bool again, has_imports;
};

struct placed_import {
	struct import import;
	uint32_t at;
};

struct references {
	struct syntax_tree *t;
	struct scopes *scopes;
	enum claim claim;		/* of the node that the walk is at */
	bool returning;			/* it is what a function returns */
	struct { struct { uint32_t depth; enum claim claim; } *v; size_t n, cap; } modes;
	struct { struct { const void *id; uint32_t from, to; enum claim claim; } *v; size_t n,
	    cap; } pending;
	size_t claims_from;		/* claims of the node that the walk is at */
	struct { struct open_import *v; size_t n, cap; } open;
	struct { struct placed_import *v; size_t n, cap; } imports;
	struct { struct { struct reference ref; uint32_t at; } *v; size_t n, cap; } found;
	struct { struct base_type *v; size_t n, cap; } bases;
	struct { struct local *v; size_t n, cap; } locals;
	const char *package;
};

/* From the node that the walk is at, at `depth`, names below it are seen so. */
void references_claim_below(struct references *, uint32_t depth, enum claim);

/* The text kept once in the tree's arena. */
const char *references_intern(struct references *, const struct normal_form *);

/* What the first name of an expression is here. */
enum local_visibility references_local_visibility(struct references *, const struct normal_form *);

/* A use of `name`, unless it is told already or of a local that hides it. */
void references_add(struct references *, enum reference_kind, const struct normal_form *name,
    const struct normal_form *receiver, int arguments, TSNode, const struct walk_position *);

/* The type's name and what comes before it: a REF_NEW or REF_TYPE; whether there was one. */
bool references_add_type(struct references *, enum reference_kind, TSNode type, int arguments,
    TSNode, const struct walk_position *);

/* The locals that a node makes by its rules. */
void locals_collect(
    struct references *, TSNode, const struct local_rule *, const struct walk_position *);

/* A node inside an import statement. */
void imports_collect(
    struct references *, TSNode, const struct node_rule *, const struct walk_position *);

/* Imports of at least that depth end. */
void imports_close(struct references *, uint32_t depth);
#endif
