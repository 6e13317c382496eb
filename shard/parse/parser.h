#ifndef SHARD_PARSE_PARSER_H
#define SHARD_PARSE_PARSER_H
/*
 * Source text to facts, with tree-sitter.  lang/README.md has how languages and frameworks are
 * added.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/syntax/languages.h"

struct arena;
struct err;
struct facts;

/*
 * Not thread-safe: one per thread.  Cheap: a language's rules are read with its first file.  NULL
 * with `e` (INTERNAL: a data file is broken, naming it).
 */
struct parser;
struct parser *parser_new(struct err *);
void parser_free(struct parser *);

/*
 * Read and compile what is left for the first file that needs it.  -1 with `e` (INTERNAL: a data
 * file is broken).
 */
int parser_check(struct parser *, struct err *);

/*
 * The facts of `n` bytes.  Always succeeds: what costs more than a file may (parse_budget.h;
 * `timeout_ms` of processor time, 0: no limits) still gives documents of its text, with has_errors
 * and limit set.  `out` lives in `a`; it points into `text`, which must live as long.
 */
void parse(struct parser *, const struct lang *, const char *text, size_t n, int timeout_ms,
    struct arena *a, struct facts *out);

/* ---- trees that stay: retained_tree.h ---- */

struct retained_tree;

/*
 * Parse and keep; everything but the tree itself lives in `a`, and points into `text`.  False: the
 * language has no grammar, or the file costs more than a file may; nothing is to be freed then.
 */
bool parse_retain(struct parser *, const struct lang *, const char *text, size_t n, struct arena *a,
    struct retained_tree *out);
void retained_tree_free(struct retained_tree *);

/*
 * parse(), and where others have a part in what the file says (facts.open.sites) what parse_retain
 * gives, too; else out->ts is NULL. It is for parser_adopt. A file of which only blocks are in a
 * language is not kept.
 */
void parse_retain_open(struct parser *, const struct lang *, const char *text, size_t n,
    int timeout_ms, struct arena *a, struct facts *, struct retained_tree *out);

/*
 * Make what parse_retain_open kept the tree of this parser, of whatever thread it was; false: it
 * cannot be used.
 */
bool parser_adopt(struct parser *, const struct lang *, struct retained_tree *);
#endif
