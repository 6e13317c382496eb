#ifndef PROTO_PROCESS_SUGGEST_H
#define PROTO_PROCESS_SUGGEST_H
/* Suggestions for a mistyped name. */

#include <stddef.h>

struct arena;

enum { SUGGEST_MAX = 5 };

/*
 * Write the names similar to `typed` to `out`, most similar first, and return their number.  Names
 * are similar if one contains the other, or if at most a third of the letters differ, in the whole
 * names or in the parts after the last slash.
 */
size_t suggest_pick(const char *typed, const char *const *names, size_t n,
    const char *out[SUGGEST_MAX], struct arena *);

/* The same names as "`a`, `b`", in the arena; "" if there are none. */
const char *suggest_names(const char *typed, const char *const *names, size_t n, struct arena *);

/* "; did you mean `a`, `b`?" for what suggest_names returned; "" for "". */
const char *suggest_phrase(const char *near, struct arena *);

/* All names, for a value that must be one of them: "a, b or c". */
const char *suggest_choices(const char *const *names, size_t n, struct arena *);
#endif
