#ifndef SHARD_PARSE_H
#define SHARD_PARSE_H
/* Source text to facts, with tree-sitter.  lang/README.md has how languages and frameworks are added. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct facts;

/* A language: a row of lang/langs.def and the data files in lang/<name>/. */
struct lang;

/*
 * The language of a file by its name and its text, or NULL: not indexed.  The text tells scripts without an extension and
 * headers of C++ from others; without it (n == 0) their language is not known, or that of C.
 */
const struct lang *lang_of(const char *path, const char *head, size_t n);
const char *lang_name(const struct lang *);

/* Whether the language of a file of such a path, if it has one, shows in its bytes only. */
bool lang_by_bytes(const char *path);

/*
 * Not thread-safe: one per thread.  Cheap: a language's rules are read with its first file.  NULL with `e` (INTERNAL: a
 * data file is broken, naming it).
 */
struct parser;
struct parser *parser_new(struct err *);
void parser_free(struct parser *);

/* Read and compile what is left for the first file that needs it.  -1 with `e` (INTERNAL: a data file is broken). */
int parser_check(struct parser *, struct err *);

/*
 * The facts of `n` bytes.  Always succeeds: what costs more than a file may (effort.h; `timeout_ms` of processor
 * time, 0: no limits) still gives documents of its text, with has_errors and limit set.  `out` lives in `a`; it points into `text`,
 * which must live as long.
 */
void parse(struct parser *, const struct lang *, const char *text, size_t n, int timeout_ms, struct arena *a,
    struct facts *out);
#endif
