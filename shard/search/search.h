#ifndef SHARD_SEARCH_SEARCH_H
#define SHARD_SEARCH_SEARCH_H
/*
 * A search in one index. Its lists share the state below: `lexical` by BM25 over the documents,
 * `exact` by names of symbols and routes, `named` by paths, `near` by vectors. Each hit carries all of its
 * scores, so that the coordinator can merge and cut the lists of several shards as if they were
 * one.
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

enum { NEAREST_PER_FILE = 12 };	/* near documents to find for each file wanted */

struct search_context {
	const struct search_req *q;
	struct index_reader *r;
	struct question ask;
	struct db *db;
	struct arena *a;
	size_t limit;
	bool files;		/* one hit per file */
	bool by_words;		/* by words and names, not by vectors alone */
	const struct ranking *ranking;
	bool tests;		/* the question is about tests */
	struct bm25_scores *scores;
	struct vector_query near;	/* .f is NULL if no vectors are compared */
	struct int_map *found;	/* document, symbol or file (search_hits.c) -> struct search_entry */
	struct int_map *texts;	/* text_id -> the last count that contains it: copies count once */
	uintptr_t counts;
	bool begins;		/* a word is `begins*`, and names that begin so are evidence */
	bool longer_names;	/* names that begin like the one that is the question are found too */
	size_t named;
	size_t contained;	/* documents whose definitions were looked at */
	struct int_map *contained_files;	/* search_contained.c */
	struct int_map *scored_files;	/* symbol_documents.c */
	struct phrase_cache *phrases;	/* search_phrases.c */
	size_t unchecked;	/* documents with the words of the phrases that were not read */
	struct err *e;		/* for errors in callbacks */
};

/*
 * A hit; its location is read when it is needed. `hit` is the first member, so that a struct hit *
 * can be cast to this.
 */
struct search_entry {
	struct hit hit;
	bool placed;		/* its row was read */
	bool taken;		/* it is among the best of a list */
};

#define SEARCH_LOCATION_SQL "f.path, f.blob, f.language, s.name, s.qualified, s.kind, s.signature,"
#define SEARCH_COLUMNS_SQL SEARCH_LOCATION_SQL \
	" ifnull(d.start_line, s.start_line), ifnull(d.end_line, s.end_line)," \
	" f.test or ifnull(s.test, 0), d.id, f.id"
/* The row of a document; the row of a symbol that has no document. */
#define SEARCH_DOCUMENT_SQL "select " SEARCH_COLUMNS_SQL \
	" from docs d join files f on f.id = d.file left join symbols s on s.id = d.symbol" \
	" where d.id = ?"
#define SEARCH_SYMBOL_SQL(names) \
	"select " SEARCH_LOCATION_SQL " s.start_line, s.end_line, f.test or s.test, null, f.id" names \
	" where s.id = ?"
#define SEARCH_FILTERS_SQL " and (?2 is null or instr(?2, '|' || s.kind || '|'))" \
	" and (?3 is null or instr(?3, '|' || f.language || '|'))" \
	" and (?4 is null or substr(f.path, 1, length(?4)) = ?4)"

/* The filter as SEARCH_FILTERS_SQL expects it: `|a|b|`, or NULL for no filter. */
const char *search_filter_list(const struct strs *, struct arena *);
const char *search_prefix(const struct search_context *);

/* The text of a column in the search's arena; NULL for SQL null. */
const char *search_column(const struct search_context *, struct stmt *, int col);

/*
 * The hit of a document (or of its file); of a symbol without a document (or of its file); of a
 * whole file. It is added if it is new.
 */
struct hit *search_hit(struct search_context *, int64_t doc);
struct hit *search_symbol(struct search_context *, int64_t symbol, int64_t file);
struct hit *search_file(struct search_context *, int64_t file);

/* As search_symbol, for a symbol whose place was read; its file is place->file. */
struct hit *search_placed_symbol(struct search_context *, int64_t symbol, const struct hit *place);

/* Makes a document, or a symbol without one, what the hit shows; its scores stay the same. */
void search_show_document(struct search_context *, int64_t doc, struct hit *);
void search_place(struct hit *, const struct hit *place);

/* Reads the location of the hit; its document stays the same. */
int search_load_location(struct search_context *, struct hit *);

/*
 * Describes a document of the index as a hit without scores; without a path if the document no
 * longer has that text (text_id.h).
 */
int search_locate_document(struct index_reader *, uint64_t doc, uint64_t text, struct hit *out,
    struct arena *, struct err *);

/* Sets the location of the hit from the row (SEARCH_COLUMNS_SQL); its scores stay the same. */
void search_set_location(struct search_context *, struct stmt *, struct hit *);

/*
 * Whether the document precedes the hit in its file; of documents with equal scores the first one
 * is shown.
 */
bool search_precedes(struct search_context *, int64_t doc, struct hit *);

/*
 * Whether the current count, which search_begin_count starts, has not yet met the text of the hit.
 */
bool search_is_new(struct search_context *, const struct hit *);
void search_begin_count(struct search_context *);

/* Whether a document passes the filters; whether it also contains every phrase. */
bool search_passes(struct search_context *, int64_t doc);
bool search_accepts(struct search_context *, int64_t doc);

/*
 * Whether the lines of a document contain every phrase of the question as it is written. Only a
 * limited number of documents is read; the others count as not containing them, and in `unchecked`.
 * search_free_phrases frees the cache of this.
 */
bool search_has_phrases(struct search_context *, int64_t doc);
void search_free_phrases(struct search_context *);

/* A document's score by words; 0 if it does not contain all phrases. */
double search_score(struct search_context *, int64_t doc);

/*
 * If the search is for some kinds: adds the definitions of these kinds that have no document of
 * their own, stand in this one and share a word with the question.  search_free_contained frees
 * what it has read.
 */
void search_contained(struct search_context *, int64_t doc);
void search_free_contained(struct search_context *);

/* A statement with the row of a document, to be stepped; NULL with the search's error. */
struct stmt *search_document_row(struct search_context *, int64_t doc);

/* The lists. Each function adds its hits. */
int search_by_terms(struct search_context *, struct err *);
int search_by_name(struct search_context *, struct err *);

/*
 * Whether names that begin like the name that is the question are wanted too; without statistics of
 * the request by those of this index.
 */
bool search_wants_longer_names(const struct search_context *, struct err *);
int search_by_route(struct search_context *, struct err *);
int search_by_path(struct search_context *, struct err *);
int search_by_vector(struct search_context *, struct search_res *, struct err *);

/* Fills in `around` of the hits, after search_by_vector. */
void search_fill_around(struct search_context *, struct hit *const *, size_t n);
#endif
