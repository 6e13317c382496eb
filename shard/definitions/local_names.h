#ifndef SHARD_DEFINITIONS_LOCAL_NAMES_H
#define SHARD_DEFINITIONS_LOCAL_NAMES_H
/*
 * The interned names of a file, and which of them are local where the walk is.  A local name of
 * unknown origin cannot refer to a definition, so it is never resolved.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct scopes;

enum local_visibility { NOT_LOCAL, LOCAL_UNKNOWN, LOCAL_KNOWN };

/* A name; lives until the next scopes_reset. */
struct interned_name {
	const char *text;	/* in the arena of the file */
	uint32_t n, hash;
	uint32_t scope;		/* the scope that declared it last */
	enum local_visibility visible;
	/* 2 + the definition in which it was last recorded as a value, a type; 0 = in none */
	int recorded_in[2];
	uint32_t recorded_at[2];	/* the line */
	bool defined;		/* a field has this name */
	bool module;		/* an import gives this name to a module */
};

struct scopes *scopes_new(void);
void scopes_free(struct scopes *);		/* NULL is fine */
void scopes_reset(struct scopes *, struct arena *);

/* The entry of a name, which is created if needed.  Valid until the next call. */
struct interned_name *scopes_name(struct scopes *, const char *, size_t n);

/* Open the scope of a function at `depth` of the tree; close all scopes of at least that depth. */
void scopes_open(struct scopes *, uint32_t depth);
void scopes_close(struct scopes *, uint32_t depth);

/* Make the name local from here to the end of the scope. */
void scopes_declare(struct scopes *, const char *, size_t n, bool known);
#endif
