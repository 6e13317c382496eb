#ifndef SHARD_KEPT_H
#define SHARD_KEPT_H
/* A file whose tree stays, for who asks it for more than its facts. */

#include "shard/definitions.h"
#include "shard/facts.h"
#include "shard/parse.h"
#include "shard/tree.h"

struct contracts;
struct spots;

struct kept {
	struct tree tree;
	TSTree *ts;
	struct found_list found;
	struct facts facts;		/* without documents; contracts only of what is outside the tree */
	struct contracts *frameworks;	/* of its language; the parser's */
	struct spots *spots;		/* what their queries have found already; NULL: nothing was asked */
};

/*
 * Parse and keep; everything but the tree itself lives in `a`, and points into `text`.  False: the language has no grammar, or
 * the file costs more than a file may; nothing is to be freed then.
 */
bool parse_keep(struct parser *, const struct lang *, const char *text, size_t n, struct arena *a, struct kept *out);
void kept_free(struct kept *);

/*
 * parse(), and where others have a part in what the file says (facts.open.sites) what parse_keep gives, too; else out->ts is NULL.
 * It is for parser_adopt. A file of which only blocks are in a language is not kept.
 */
void parse_open(struct parser *, const struct lang *, const char *text, size_t n, int timeout_ms, struct arena *a, struct facts *,
    struct kept *out);

/* Make what parse_open kept the tree of this parser, of whatever thread it was; false: it cannot be used. */
bool parser_adopt(struct parser *, const struct lang *, struct kept *);
#endif
