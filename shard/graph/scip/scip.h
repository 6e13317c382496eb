#ifndef SHARD_GRAPH_SCIP_SCIP_H
#define SHARD_GRAPH_SCIP_SCIP_H
/*
 * Reads a SCIP index: the symbols of a repository as a compiler-grade indexer found them.  The
 * only includer of protobuf-c.  The bytes are untrusted: sizes are bounded, and anything that is
 * not SCIP is an error.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct scip;

enum { SCIP_MAX_BYTES = 256 << 20 };		/* of an index, and of one unpacked document */

enum scip_column { SCIP_UTF8, SCIP_UTF16, SCIP_UTF32 };

struct scip_occurrence {
	const char *symbol;
	uint32_t line;			/* from 1 */
	uint32_t start, end;		/* columns from 0 on that line, in units of the document */
	bool definition;
};

/* A symbol that implements another, or is derived from it. */
struct scip_relation {
	const char *symbol, *base;
};

struct scip_document {
	const char *path;
	enum scip_column column;
	struct { struct scip_occurrence *v; size_t n; } occurrences;	/* in order of place */
	struct { struct scip_relation *v; size_t n; } relations;
};

/* Copies `bytes`.  NULL with `e` (INVALID_INPUT). */
struct scip *scip_open(const void *bytes, size_t n, struct err *e);
void scip_close(struct scip *);		/* NULL is fine */

/* The name of the indexer, made of letters, digits and `-_.`; "unknown" if the index has none. */
const char *scip_tool(const struct scip *);

size_t scip_document_count(const struct scip *);

/* Document `i`, in `a`.  INVALID_INPUT. */
int scip_document(
    const struct scip *, size_t i, struct arena *a, struct scip_document *out, struct err *e);

/* Whether a symbol belongs to its document alone. */
bool scip_is_local(const char *symbol);

/*
 * The name that a symbol of a function, type or value ends with.  NULL for parameters, type
 * parameters, packages and files, and for names that are not words.
 */
const char *scip_name(const char *symbol, struct arena *);

/* The length of a global symbol's package: scheme, manager, name and version. */
size_t scip_package_length(const char *symbol);
#endif
