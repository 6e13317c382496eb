#ifndef SHARD_FACTS_H
#define SHARD_FACTS_H
/*
 * What one blob says, whoever holds it: depends on (bytes, language, extractor version) alone, never on a path.
 * Everything lives in the arena that the parser was given.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/msg.h"

/* Grows whenever the same bytes would give other facts: part of every cache key and of the schema check. */
enum { EXTRACTOR_VERSION = 2 };

struct definition {
	const char *name;	/* as declared */
	const char *qualified;	/* with its parents, joined by '.' */
	const char *kind;	/* a name of proto/kinds.def */
	const char *signature;	/* on one line, without body; NULL for what is not callable */
	const char *doc;	/* without comment marks; NULL: none */
	uint32_t start_line, end_line;	/* 1-based, inclusive; the doc comment is not in it */
	uint32_t start_byte, end_byte;
	int parent;		/* index of the definition that contains it, or -1 */
	bool exported, test;
};

/* A search document: a definition without what its members hold, or text outside definitions. */
struct document {
	int definition;		/* index, or -1 for a gap */
	const char *body;	/* source text, valid UTF-8 not guaranteed */
	size_t nbody;
	uint32_t start_line, end_line;
};

struct facts {
	struct { struct definition *v; size_t n; } definitions;	/* in order of start_byte; parents before members */
	struct { struct document *v; size_t n; } documents;	/* in order of start_line */
	struct { struct fact *v; size_t n; } contracts;		/* proto/schema.def; `file` is NULL here */
	uint32_t lines;
	bool generated;		/* a marker in its head says so */
	bool has_errors;	/* the parser had to skip something */
};
#endif
