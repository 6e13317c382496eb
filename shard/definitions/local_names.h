#ifndef SHARD_DEFINITIONS_LOCAL_NAMES_H
#define SHARD_DEFINITIONS_LOCAL_NAMES_H
/*
 * The names of a file, each kept once, and which of them are local where the walk is.  What is
 * local and of unknown origin can be no definition; resolve is never asked about it.
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
	uint32_t scope;		/* the one that declared it last */
	enum local_visibility visible;
	/* 2 + the definition in which it was last told as a value, a type; 0: in none */
	int recorded_in[2];
	bool defined;		/* as a field */
	bool module;		/* an import gives this name to a module */
};

struct scopes *scopes_new(void);
void scopes_free(struct scopes *);		/* NULL is fine */
void scopes_reset(struct scopes *, struct arena *);

/* The entry of a name, made when there is none.  Valid until the next call. */
struct interned_name *scopes_name(struct scopes *, const char *, size_t n);

/* A function, at `depth` of the tree, begins; all of at least that depth end. */
void scopes_open(struct scopes *, uint32_t depth);
void scopes_close(struct scopes *, uint32_t depth);

/* From here to the end of the scope the name is local. */
void scopes_declare(struct scopes *, const char *, size_t n, bool known);
#endif
