#ifndef SHARD_PARSE_PARSER_H
#define SHARD_PARSE_PARSER_H
/*
 * Parses source text to facts.  lang/README.md describes how to add languages and frameworks.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/syntax/languages.h"

struct arena;
struct err;
struct facts;

/*
 * Not thread-safe: use one per thread.  Cheap, because the rules of a language are loaded with its
 * first file.  NULL with `e` (INTERNAL, which names the broken data file).
 */
struct parser;
struct parser *parser_new(struct err *);
void parser_free(struct parser *);

/*
 * Load and compile the data files of all languages, to check them.  -1 with `e` (INTERNAL) if one
 * is broken.
 */
int parser_check(struct parser *, struct err *);

/*
 * The facts of `n` bytes.  Always succeeds: a file that exceeds its budget (parse_budget.h;
 * `timeout_ms` of processor time, 0: no limits) still yields documents of its text, with has_errors
 * and limit set.  `out` lives in `a`; it points into `text`, which must live as long.
 */
void parse(struct parser *, const struct lang *, const char *text, size_t n, int timeout_ms,
    struct arena *a, struct facts *out);

/*
 * Like parse(), but only definitions and minor names.  There are some only in a language for which
 * parser_finds_names.
 */
void parse_names(struct parser *, const struct lang *, const char *text, size_t n, int timeout_ms,
    struct arena *a, struct facts *out);
bool parser_finds_names(const struct parser *, const struct lang *);

/* ---- retained trees: retained_tree.h ---- */

struct retained_tree;

/*
 * Parse and retain the tree.  Everything but the tree itself lives in `a`, and points into `text`.
 * False if the language has no grammar or the file exceeds its budget; then there is nothing to
 * free.  Else free with retained_tree_free.
 */
bool parse_retain(struct parser *, const struct lang *, const char *text, size_t n, struct arena *a,
    struct retained_tree *out);
void retained_tree_free(struct retained_tree *);

/*
 * Like parse(), but retains the tree if the facts depend on other files (facts.open), for
 * parser_adopt; else out->ts is NULL.  A file in which only blocks are in a programming language is
 * not retained.
 */
void parse_retain_open(struct parser *, const struct lang *, const char *text, size_t n,
    int timeout_ms, struct arena *a, struct facts *, struct retained_tree *out);

/*
 * Make a tree of parse_retain_open, from any thread, a tree of this parser.  False if it cannot be
 * used.
 */
bool parser_adopt(struct parser *, const struct lang *, struct retained_tree *);
#endif
