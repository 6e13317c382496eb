#ifndef SHARD_DEFINITIONS_CTAGS_CTAGS_DEFINITIONS_H
#define SHARD_DEFINITIONS_CTAGS_CTAGS_DEFINITIONS_H
/*
 * Definitions that universal-ctags finds, in languages without a grammar here.  lang/ctags.tab
 * says what its words mean.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct found_definitions;
struct ctags_definitions;

/* Reads lang/ctags.tab; NULL with INTERNAL naming the line.  Starts no process. */
struct ctags_definitions *ctags_definitions_new(struct err *);
void ctags_definitions_free(struct ctags_definitions *);		/* NULL is fine */

/* Whether ctags is asked about the language, a row of langs.def. */
bool ctags_definitions_supports(const struct ctags_definitions *, size_t lang);

/*
 * Fill `out` in order of start, and `*package` (NULL: none); strings live in `a`.  -1: no answer,
 * the file is text.
 */
int ctags_definitions_find(struct ctags_definitions *, size_t lang, const char *text, size_t n,
    int timeout_ms, struct arena *a, struct found_definitions *out, const char **package);

/* Whether there is no ctags to ask. */
bool ctags_definitions_missing(const struct ctags_definitions *);
#endif
