#ifndef SHARD_GRAPH_SCIP_SCIP_H
#define SHARD_GRAPH_SCIP_SCIP_H
/*
 * A SCIP index: what another program found out about the symbols of a repository.  The one
 * includer of protobuf-c. Foreign bytes: sizes are bounded, and what is no SCIP is an error, never
 * more.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct scip;

enum { SCIP_MAX_BYTES = 256 << 20 };		/* bytes of an index; of one document unpacked too */

enum scip_column { SCIP_UTF8, SCIP_UTF16, SCIP_UTF32 };

struct scip_occurrence {
	const char *symbol;
	uint32_t line;			/* from 1 */
	uint32_t start, end;		/* columns from 0, in units of the document, on that line */
	bool definition;
};

/* One symbol implements, or is derived from, another. */
struct scip_relation {
	const char *symbol, *base;
};

struct scip_document {
	const char *path;
	enum scip_column column;
	struct { struct scip_occurrence *v; size_t n; } occurrences;	/* in order of place */
	struct { struct scip_relation *v; size_t n; } relations;
};

/* Keeps nothing of `bytes`.  NULL with `e` (INVALID_INPUT). */
struct scip *scip_open(const void *bytes, size_t n, struct err *e);
void scip_close(struct scip *);		/* NULL is fine */

/* Name of the program that made it, of letters, digits and `-_.` alone; "unknown" without one. */
const char *scip_tool(const struct scip *);

size_t scip_document_count(const struct scip *);

/* The i-th document, in `a`.  INVALID_INPUT. */
int scip_document(
    const struct scip *, size_t i, struct arena *a, struct scip_document *out, struct err *e);

/* Whether a symbol belongs to its document alone. */
bool scip_is_local(const char *symbol);

/*
 * The name that a symbol ends with, when it is that of a function, type or value: that of a
 * parameter, type parameter, package or file is NULL, as is one that is no word.
 */
const char *scip_name(const char *symbol, struct arena *);

/*
 * Length of the part of a global symbol that names its package: scheme, manager, name and version.
 */
size_t scip_package_length(const char *symbol);
#endif
