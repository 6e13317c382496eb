#ifndef SHARD_BASE_KINDS_H
#define SHARD_BASE_KINDS_H
/* The rows of proto/record/kinds.def as enums, and predicates for groups of kinds. */

#include <stdbool.h>

enum kind {
#define KIND(name, callable, doc) KIND_##name,
#include "proto/record/kinds.def"
	KINDS
};

enum edge_kind {
#define EDGE(name, stored, doc) EDGE_##name,
#include "proto/record/kinds.def"
	EDGE_KINDS
};

/* KINDS if the name is unknown. */
enum kind kind_of(const char *name);
const char *kind_name(enum kind);
const char *edge_name(enum edge_kind);

bool kind_is_callable(enum kind);
bool kind_is_type(enum kind);	/* has members, or is an alias of a type that has */
bool kind_holds_value(enum kind);	/* field, variable, constant */
#endif
