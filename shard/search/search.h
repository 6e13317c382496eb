#ifndef SHARD_SEARCH_SEARCH_H
#define SHARD_SEARCH_SEARCH_H
/*
 * A search in one index, shared by its lists: `lexical` by BM25 over the documents, `exact` by names of symbols, `named` by
 * paths, `near` by vectors.  Each hit carries all of its scores, so that whoever puts lists of several shards together can
 * order and cut them as if they were one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"
#include "proto/text/question.h"
#include "shard/index/bm25.h"
#include "shard/search/query_vector.h"

struct arena;
struct db;
struct err;
struct numbers;
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
	struct near near;	/* .f is NULL: nothing is compared */
	struct numbers *found;	/* key_of a document, or file -> struct spot */
	struct numbers *texts;	/* text_id -> the last count that met it: copies count once */
	uintptr_t counts;
	bool begins;		/* a word is `begins*` */
	size_t named;
	struct said *said;	/* of search_phrases.c */
	struct err *e;		/* of what `keep` calls */
};

/* A hit; where it stands is read when that is asked for.  The first member: a struct hit * is one of it. */
struct spot {
	struct hit hit;
	bool placed;		/* its row was read */
	bool taken;		/* it is among the best of a list */
};

#define PLACE "f.path, f.blob, f.language, s.name, s.qualified, s.kind, s.signature,"
#define COLUMNS PLACE " ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line), f.test or ifnull(s.test, 0), d.id, f.id"
/* The row of a document; of a symbol that has none. */
#define DOCUMENT "select " COLUMNS " from docs d join files f on f.id = d.file left join symbols s on s.id = d.symbol where d.id = ?"
#define SYMBOL "select " PLACE " s.start_line, s.end_line, f.test or s.test, null, f.id" \
	" from symbols s join files f on f.id = s.file where s.id = ?"
#define FILTERS " and (?2 is null or instr(?2, '|' || s.kind || '|'))" \
	" and (?3 is null or instr(?3, '|' || f.language || '|'))" \
	" and (?4 is null or substr(f.path, 1, length(?4)) = ?4)"

/* `|a|b|`, or NULL for no filter: as FILTERS wants it. */
const char *search_bars(const struct strs *, struct arena *);
const char *search_prefix(const struct search *);

/* A column's text in the search's arena; NULL: null. */
const char *search_column(const struct search *, struct stmt *, int col);

/* The hit of a document, or of its file; of a symbol that has no document, or its file; of a file as a whole.  Added when it is new. */
struct hit *search_hit(struct search *, int64_t doc);
struct hit *search_symbol(struct search *, int64_t symbol, int64_t file);
struct hit *search_file(struct search *, int64_t file);

/* Read where the hit stands; which document it is stays. */
int search_place(struct search *, struct hit *);

/* Where a document of the index stands, as a hit without scores; without path when it is not that text (text_id.h) any more. */
int search_find(struct reader *, uint64_t doc, uint64_t text, struct hit *out, struct arena *, struct err *);

/* Make the row (COLUMNS) the place of the hit, without a change of its scores. */
void search_set_place(struct search *, struct stmt *, struct hit *);

/* Whether the document stands before the hit in its file: of equals, that is the one. */
bool search_before(struct search *, int64_t doc, struct hit *);

/* Whether the count that began last (search_count) has not met the text of the hit before. */
bool search_is_new(struct search *, const struct hit *);
void search_count(struct search *);

/* Whether a document passes the filters; whether it holds every phrase too. */
bool search_passes(struct search *, int64_t doc);
bool search_keeps(struct search *, int64_t doc);

/* Whether a document says every phrase of the question, one of the first so many that are asked about; what was kept for that is let go. */
bool search_says(struct search *, int64_t doc);
void search_forget(struct search *);

/* How well a document answers by its words; with phrases nothing when it does not say them. */
double search_score(struct search *, int64_t doc);

/* The row of a document, to be stepped; NULL with the search's error. */
struct stmt *search_row(struct search *, int64_t doc);

/* The lists.  Each adds its hits. */
int search_words(struct search *, struct err *);
int search_names(struct search *, struct err *);
int search_paths(struct search *, struct err *);
int search_near(struct search *, struct search_res *, struct err *);

/* Fill in `around` of the hits, after search_near. */
void search_around(struct search *, struct hit *const *, size_t n);
#endif
