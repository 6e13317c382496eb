#ifndef SHARD_DEFINITIONS_CTAGS_CTAGS_DEFINITIONS_H
#define SHARD_DEFINITIONS_CTAGS_CTAGS_DEFINITIONS_H
/*
 * Definitions found by universal-ctags, for languages that have no grammar here.  lang/ctags.tab
 * maps its kinds.
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

/* Whether ctags is used for the language, a row of langs.def. */
bool ctags_definitions_supports(const struct ctags_definitions *, size_t lang);

/*
 * Fill `out` in order of start, and `*package` (NULL if there is none); strings live in `a`.  -1 if
 * ctags failed: then treat the file as text.
 */
int ctags_definitions_find(struct ctags_definitions *, size_t lang, const char *text, size_t n,
    int timeout_ms, struct arena *a, struct found_definitions *out, const char **package);

/* Whether universal-ctags is not installed; known after the first file. */
bool ctags_definitions_missing(const struct ctags_definitions *);
#endif
