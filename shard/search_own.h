#ifndef SHARD_SEARCH_OWN_H
#define SHARD_SEARCH_OWN_H
/*
 * A search in one index, shared by its lists: `lexical` by BM25 over the documents, `exact` by names of symbols, `named` by
 * paths, `near` by vectors.  Each hit carries all of its scores, so that whoever puts lists of several shards together can
 * order and cut them as if they were one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/msg.h"
#include "proto/text/question.h"
#include "shard/rank.h"

struct arena;
struct db;
struct err;
struct map;
struct reader;
struct stmt;

enum { MORE_FILES = 12 };	/* near documents for each file wanted */

struct search {
	const struct search_req *q;
	struct reader *r;
	struct question ask;
	struct db *db;
	struct arena *a;
	size_t limit;
	bool files;		/* one hit per file */
	bool by_words;		/* and by names, not by vectors alone */
	const struct ranking *ranking;
	bool tests;		/* they are asked for */
	struct scores *scores;
	struct map *found;	/* document or file -> struct spot */
	struct map *texts;	/* blob, lines and name -> struct text */
	unsigned counts;
	size_t checked, named;
	struct err *e;		/* of what `keep` calls */
};

/* The same lines of the same blob, wherever they stand: copies count once. */
struct text {
	unsigned met;		/* the last count that met it */
};

/* A hit, and the document whose place it shows. */
struct spot {
	struct hit hit;		/* the first member: a struct hit * is one of it */
	struct text *text;
	int64_t doc;
	uint64_t hash;
	bool taken;		/* it is among the best of a list */
};

#define PLACE "f.path, f.blob, f.language, s.name, s.qualified, s.kind, s.signature,"
#define COLUMNS PLACE " ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line), f.test or ifnull(s.test, 0), d.id, d.hash"
/* The row of a document; of a symbol that has none. */
#define DOCUMENT "select " COLUMNS " from docs d join files f on f.id = d.file left join symbols s on s.id = d.symbol where d.id = ?"
#define SYMBOL "select " PLACE " s.start_line, s.end_line, f.test or s.test, null, null" \
	" from symbols s join files f on f.id = s.file where s.id = ?"
#define FILTERS " and (?2 is null or instr(?2, '|' || s.kind || '|'))" \
	" and (?3 is null or instr(?3, '|' || f.language || '|'))" \
	" and (?4 is null or substr(f.path, 1, length(?4)) = ?4)"

/* `|a|b|`, or NULL for no filter: as FILTERS wants it. */
const char *search_bars(const struct strs *, struct arena *);
const char *search_prefix(const struct search *);

/* A column's text in the search's arena; NULL: null. */
const char *search_column(const struct search *, struct stmt *, int col);

/* The hit of the row's place (COLUMNS), or of its file; added when it is new. */
struct hit *search_hit(struct search *, struct stmt *);

/* Whether the row stands before the hit in its file: of equals, that is the one. */
bool search_before(struct stmt *, const struct hit *);

/* Make `x` the row's place, without scores; which text it is then. */
void search_place(struct search *, struct stmt *, const char *path, struct spot *x);
void search_set_text(struct search *, struct spot *x);

/* Whether the count has not met the text of the hit before. */
bool search_is_new(const struct hit *, unsigned count);

/* Whether a document passes the filters; whether it holds every phrase too. */
bool search_passes(struct search *, int64_t doc);
bool search_keeps(struct search *, int64_t doc);

/* How well a document answers by its words; with phrases nothing when it does not say them. */
double search_score(struct search *, int64_t doc);

/* Order of places: path, start, end, qualified name. */
int search_by_place(const char *path, const char *x_path, uint64_t start, uint64_t x_start, uint64_t end, uint64_t x_end,
    const char *qualified, const char *x_qualified);

/* The lists.  Each adds its hits. */
int search_words(struct search *, struct err *);
int search_names(struct search *, struct err *);
int search_paths(struct search *, struct err *);
int search_near(struct search *, struct search_res *, struct err *);
#endif
