#ifndef SHARD_SEARCH_SEARCH_H
#define SHARD_SEARCH_SEARCH_H
/*
 * A search in one index, shared by its lists: `lexical` by BM25 over the documents, `exact` by
 * names of symbols, `named` by paths, `near` by vectors.  Each hit carries all of its scores, so
 * that whoever puts lists of several shards together can order and cut them as if they were one.
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
struct int_map;
struct index_reader;
struct stmt;

enum { NEAREST_PER_FILE = 12 };	/* near documents for each file wanted */

struct search_context {
	const struct search_req *q;
	struct index_reader *r;
	struct question ask;
	struct db *db;
	struct arena *a;
	size_t limit;
	bool files;		/* one hit per file */
	bool by_words;		/* and by names, not by vectors alone */
	const struct ranking *ranking;
	bool tests;		/* they are asked for */
	struct bm25_scores *scores;
	struct vector_query near;	/* .f is NULL: nothing is compared */
	struct int_map *found;	/* key_of a document, or file -> struct search_entry */
	struct int_map *texts;	/* text_id -> the last count that met it: copies count once */
	uintptr_t counts;
	bool begins;		/* a word is `begins*` */
	size_t named;
	struct phrase_cache *phrases;	/* of search_phrases.c */
	struct err *e;		/* of what `keep` calls */
};

/*
 * A hit; where it stands is read when that is asked for.  The first member: a struct hit * is one
 * of it.
 */
struct search_entry {
	struct hit hit;
	bool placed;		/* its row was read */
	bool taken;		/* it is among the best of a list */
};

#define SEARCH_LOCATION_SQL "f.path, f.blob, f.language, s.name, s.qualified, s.kind, s.signature,"
#define SEARCH_COLUMNS_SQL SEARCH_LOCATION_SQL " ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line), f.test or ifnull(s.test, 0), d.id, f.id"
/* The row of a document; of a symbol that has none. */
#define SEARCH_DOCUMENT_SQL "select " SEARCH_COLUMNS_SQL " from docs d join files f on f.id = d.file left join symbols s on s.id = d.symbol where d.id = ?"
#define SEARCH_SYMBOL_SQL "select " SEARCH_LOCATION_SQL " s.start_line, s.end_line, f.test or s.test, null, f.id" \
	" from symbols s join files f on f.id = s.file where s.id = ?"
#define SEARCH_FILTERS_SQL " and (?2 is null or instr(?2, '|' || s.kind || '|'))" \
	" and (?3 is null or instr(?3, '|' || f.language || '|'))" \
	" and (?4 is null or substr(f.path, 1, length(?4)) = ?4)"

/* `|a|b|`, or NULL for no filter: as FILTERS wants it. */
const char *search_filter_list(const struct strs *, struct arena *);
const char *search_prefix(const struct search_context *);

/* A column's text in the search's arena; NULL: null. */
const char *search_column(const struct search_context *, struct stmt *, int col);

/*
 * The hit of a document, or of its file; of a symbol that has no document, or its file; of a file
 * as a whole.  Added when it is new.
 */
struct hit *search_hit(struct search_context *, int64_t doc);
struct hit *search_symbol(struct search_context *, int64_t symbol, int64_t file);
struct hit *search_file(struct search_context *, int64_t file);

/* Read where the hit stands; which document it is stays. */
int search_load_location(struct search_context *, struct hit *);

/*
 * Where a document of the index stands, as a hit without scores; without path when it is not that
 * text (text_id.h) any more.
 */
int search_locate_document(struct index_reader *, uint64_t doc, uint64_t text, struct hit *out,
    struct arena *, struct err *);

/* Make the row (COLUMNS) the place of the hit, without a change of its scores. */
void search_set_location(struct search_context *, struct stmt *, struct hit *);

/* Whether the document stands before the hit in its file: of equals, that is the one. */
bool search_precedes(struct search_context *, int64_t doc, struct hit *);

/* Whether the count that began last (search_begin_count) has not met the text of the hit before. */
bool search_is_new(struct search_context *, const struct hit *);
void search_begin_count(struct search_context *);

/* Whether a document passes the filters; whether it holds every phrase too. */
bool search_passes(struct search_context *, int64_t doc);
bool search_accepts(struct search_context *, int64_t doc);

/*
 * Whether a document says every phrase of the question, one of the first so many that are asked
 * about; what was kept for that is let go.
 */
bool search_has_phrases(struct search_context *, int64_t doc);
void search_free_phrases(struct search_context *);

/* How well a document answers by its words; with phrases nothing when it does not say them. */
double search_score(struct search_context *, int64_t doc);

/* The row of a document, to be stepped; NULL with the search's error. */
struct stmt *search_document_row(struct search_context *, int64_t doc);

/* The lists.  Each adds its hits. */
int search_by_terms(struct search_context *, struct err *);
int search_by_name(struct search_context *, struct err *);
int search_by_path(struct search_context *, struct err *);
int search_by_vector(struct search_context *, struct search_res *, struct err *);

/* Fill in `around` of the hits, after search_by_vector. */
void search_fill_around(struct search_context *, struct hit *const *, size_t n);
#endif
