#ifndef SHARD_DEFINITIONS_CTAGS_CTAGS_DEFINITIONS_H
#define SHARD_DEFINITIONS_CTAGS_CTAGS_DEFINITIONS_H
/* Definitions that universal-ctags finds, in languages without a grammar here.  lang/ctags.tab says what its words mean. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct found_list;
struct tags;

/* Reads lang/ctags.tab; NULL with INTERNAL naming the line.  Starts no process. */
struct tags *tags_new(struct err *);
void tags_free(struct tags *);		/* NULL is fine */

/* Whether ctags is asked about the language, a row of langs.def. */
bool tags_knows(const struct tags *, size_t lang);

/* Fill `out` in order of start, and `*package` (NULL: none); strings live in `a`.  -1: no answer, the file is text. */
int tags_find(struct tags *, size_t lang, const char *text, size_t n, int timeout_ms, struct arena *a,
    struct found_list *out, const char **package);

/* Whether there is no ctags to ask. */
bool tags_missing(const struct tags *);
#endif
