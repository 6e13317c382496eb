#ifndef SHARD_DEFINITIONS_REFERENCES_INTERNAL_H
#define SHARD_DEFINITIONS_REFERENCES_INTERNAL_H
/*
 * Shared by references.c, references_of_node.c (what a node uses, by its rules), locals.c and
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
	const char *module;		/* NULL if each part names one */
	const char *alias, *name;	/* of the statement itself */
	int definition;
	bool again, has_imports;
};

struct placed_import {
	struct import import;
	uint32_t at;
};

/* How a node that the walk has not reached yet is to be treated. */
struct pending_claim {
	const void *id;			/* of the node */
	uint32_t from, to;		/* its bytes */
	enum claim claim;
};

struct references {
	struct syntax_tree *t;
	struct scopes *scopes;
	enum claim claim;		/* of the node that the walk is at */
	bool returning;			/* the node is the value of a return statement */
	struct { struct { uint32_t depth; enum claim claim; } *v; size_t n, cap; } modes;
	struct { struct pending_claim *v; size_t n, cap; } pending;
	size_t claims_from;		/* where the current node's claims begin in `pending` */
	struct { struct open_import *v; size_t n, cap; } open;
	struct { struct placed_import *v; size_t n, cap; } imports;
	struct { struct { struct reference ref; uint32_t at; } *v; size_t n, cap; } found;
	struct { struct base_type *v; size_t n, cap; } bases;
	struct { struct local *v; size_t n, cap; } locals;
	const char *package;
};

/* Treat the names below the node that the walk is at, which is at `depth`, by this claim. */
void references_claim_below(struct references *, uint32_t depth, enum claim);

/* The interned text, in the tree's arena. */
const char *references_intern(struct references *, const struct normal_form *);

/* Whether the first name of an expression is local here. */
enum local_visibility references_local_visibility(struct references *, const struct normal_form *);

/* Record a use of `name`, unless it is recorded already or a local hides it. */
void references_add(struct references *, enum reference_kind, const struct normal_form *name,
    const struct normal_form *receiver, int arguments, TSNode, const struct walk_position *);

/* Record a use (REF_NEW or REF_TYPE) of a type; false if it has no name. */
bool references_add_type(struct references *, enum reference_kind, TSNode type, int arguments,
    TSNode, const struct walk_position *);

/* Record the locals that a node declares. */
void locals_collect(
    struct references *, TSNode, const struct local_rule *, const struct walk_position *);

/* Record the imports of a node inside an import statement. */
void imports_collect(
    struct references *, TSNode, const struct node_rule *, const struct walk_position *);

/* Close the import statements of at least that depth. */
void imports_close(struct references *, uint32_t depth);
#endif
