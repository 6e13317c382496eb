#include "shard/search/search.h"

#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/text/text_id.h"
#include "shard/index/document_prior.h"

enum { NAMED_FILES = 100 };	/* maximum files whose path is in the question */

/* How well a path matches the typed one: completely, or its end after a `/`. */
static double path_fit(const char *typed, const char *path)
{
	size_t n = strlen(typed), m = strlen(path);

	if (n > m || strcasecmp(path + m - n, typed))
		return 0;
	if (n < m && path[m - n - 1] != '/')
		return 0;
	if (n == m)
		return 3;
	if (strchr(typed, '/'))
		return 2.5;
	return 2;
}

/* The hit of the whole file. */
static struct hit *whole_file(struct search_context *w, struct stmt *s)
{
	struct hit *h = search_file(w, db_int(s, 0));

	if (!h->text) {
		*h = (struct hit){ .path = search_column(w, s, 1),
			.blob = search_column(w, s, 2),
			.language = search_column(w, s, 3),
			.start_line = 1,
			.end_line = (uint64_t)db_int(s, 4),
			.test = db_int(s, 5),
			.file = (uint64_t)db_int(s, 0) };
		h->text = text_id(h->blob, h->start_line, h->end_line, NULL);
		((struct search_entry *)h)->placed = true;
	}
	return h;
}

/*
 * Whether the row is a document around the line, or without a line one with a score by words; with
 * phrases only if it contains them.
 */
static bool fits(const struct search_context *w, struct stmt *s, uint64_t line, double words)
{
	bool needs_words = !line || w->ask.nphrases;

	if (needs_words && words <= 0)
		return false;
	return !line || (line >= (uint64_t)db_int(s, 7) && line <= (uint64_t)db_int(s, 8));
}

/*
 * Adds documents of a file: with a line those around it, of which the innermost gets the score for
 * its path; otherwise those with a score by words.  Returns their number, or -1.
 */
static int add_documents(
    struct search_context *w, int64_t file, uint64_t line, double fit, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select " SEARCH_COLUMNS_SQL " from docs d join files f on f.id = d.file"
	    " left join symbols s on s.id = d.symbol where d.file = ?1" SEARCH_FILTERS_SQL
	    " order by d.start_line, d.end_line desc, d.id",
	    e);
	struct hit *inner = NULL;
	int n = 0, rc;

	if (!s)
		return -1;
	db_bind(s, "isss", file, search_filter_list(&w->q->kinds, w->a),
	    search_filter_list(&w->q->languages, w->a), search_prefix(w));
	while ((rc = db_step(s, e)) == 1) {
		double words = search_score(w, db_int(s, 10));
		if (!fits(w, s, line, words))
			continue;
		inner = search_hit(w, db_int(s, 10));
		inner->lexical = MAX(words, inner->lexical);
		if (!line)
			inner->named = MAX(fit, inner->named);
		n++;
	}
	if (rc)
		return -1;
	if (inner && line)
		inner->named = fit;
	return n;
}

/*
 * Adds a named file: the documents that the question or its line means; if there are none the file
 * itself, unless a phrase or a kind is required.
 */
static int add_file(
    struct search_context *w, const struct question_path *p, struct stmt *s, struct err *e)
{
	double fit = path_fit(p->path, db_str(s, 1)) *
	    document_prior_of_file(db_int(s, 5), db_str(s, 3), db_str(s, 1)) / PRIOR_FULL;
	bool whole = !w->q->kinds.n && !w->ask.nphrases;
	int n = 0;

	if (p->line || !w->ask.only_paths)
		n = add_documents(w, db_int(s, 0), p->line, fit, e);
	if (n < 0)
		return -1;
	if (!n && whole)
		whole_file(w, s)->named = fit;
	return 0;
}

static int path_word(struct search_context *w, const struct question_path *p, struct err *e)
{
	struct stmt *s = db_prep(w->db,
	    "select f.id, f.path, f.blob, f.language, f.lines, f.test from files f"
	    " where f.path like '%' || ?1 and (?3 is null or instr(?3, '|' || f.language || '|'))"
	    " and (?4 is null or substr(f.path, 1, length(?4)) = ?4) and not f.generated order by"
	    " f.path",
	    e);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "snss", p->path, search_filter_list(&w->q->languages, w->a), search_prefix(w));
	while ((rc = db_step(s, e)) == 1) {
		if (path_fit(p->path, db_str(s, 1)) <= 0 || w->named++ >= NAMED_FILES)
			continue;
		if (add_file(w, p, s, e))
			return -1;
	}
	return rc;
}

int search_by_path(struct search_context *w, struct err *e)
{
	if (w->q->least_named >= SEARCH_NOT)
		return 0;
	for (size_t i = 0; i < w->ask.npaths; i++)
		if (path_word(w, &w->ask.paths[i], e))
			return -1;
	return 0;
}
