#ifndef SHARD_BASE_KINDS_H
#define SHARD_BASE_KINDS_H
/* The rows of proto/record/kinds.def as numbers, and what groups of kinds have in common. */

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

/* KINDS for a name that is none. */
enum kind kind_of(const char *name);
const char *kind_name(enum kind);
const char *edge_name(enum edge_kind);

bool kind_is_callable(enum kind);
bool kind_is_type(enum kind);	/* has members, or stands for something that has */
bool kind_holds_value(enum kind);	/* holds a value: field, variable, constant */
#endif
