#include "shard/search/symbol_documents.h"

#include "proto/base/arena.h"
#include "proto/base/int_map.h"
#include "proto/db/db.h"
#include "shard/search/search.h"
#include "shard/storage/symbol_store.h"

int64_t symbol_document(struct search_context *w, int64_t symbol, int64_t file)
{
	struct stmt *s =
	    db_prep(w->db, "select id from documents where file = ? and number = ?", w->e);
	int64_t doc = 0;

	if (!s || db_bind(s, "ii", file, symbol_number(symbol)))
		return 0;
	while (db_step(s, w->e) == 1)
		doc = db_int(s, 0);
	return doc;
}

int64_t symbol_document_of_file(struct search_context *w, int64_t doc, int64_t file)
{
	struct stmt *s = db_prep(
	    w->db, "select id from docs where file = ? order by start_line, end_line, id", w->e);
	double highest = 0;

	if (!s || db_bind(s, "i", file))
		return doc;
	while (db_step(s, w->e) == 1) {
		double score = search_score(w, db_int(s, 0));
		if (score > highest && (!w->q->kinds.n || search_passes(w, db_int(s, 0)))) {
			doc = db_int(s, 0);
			highest = score;
		}
	}
	return doc;
}

/* ---- around a line ---- */

/* A document with a score. */
struct scored_document {
	int64_t doc, start, more;	/* its first line, and the lines behind that */
	double score;
	struct scored_document *next;
};

/* Those of a file. */
struct scored_file {
	struct scored_document *first;
};

static void add_lines(struct search_context *w, struct scored_document *d)
{
	struct stmt *s =
	    db_prep(w->db, "select start_line, more from documents where id = ?", w->e);

	if (!s || db_bind(s, "i", d->doc))
		return;
	while (db_step(s, w->e) == 1) {
		d->start = db_int(s, 0);
		d->more = db_int(s, 1);
	}
}

/* Most documents of a file have no score, so their lines are not read. */
static struct scored_file *read_file(struct search_context *w, int64_t file)
{
	struct stmt *s = db_prep(w->db, "select id from documents where file = ?", w->e);
	struct scored_file *f = arena_one(w->a, struct scored_file);
	struct scored_document **end = &f->first;

	if (!s || db_bind(s, "i", file))
		return f;
	while (db_step(s, w->e) == 1) {
		double score = bm25_scores_get(w->scores, db_int(s, 0));
		if (score <= 0)
			continue;
		*end = arena_one(w->a, struct scored_document);
		**end = (struct scored_document){ .doc = db_int(s, 0), .score = score };
		add_lines(w, *end);
		end = &(*end)->next;
	}
	return f;
}

static const struct scored_file *scored_file(struct search_context *w, int64_t file)
{
	if (!w->scored_files)
		w->scored_files = int_map_new();
	void **at = int_map_at(w->scored_files, (uint64_t)file);
	if (!*at)
		*at = read_file(w, file);
	return *at;
}

int64_t symbol_document_around(struct search_context *w, int64_t file, int64_t line)
{
	const struct scored_document *found = NULL, *d = scored_file(w, file)->first;

	for (; d; d = d->next) {
		if (d->start > line || d->start + d->more < line)
			continue;
		bool smaller = !found || d->more < found->more;
		if (smaller || (d->more == found->more && d->score > found->score))
			found = d;
	}
	return found ? found->doc : 0;
}

void symbol_documents_free(struct search_context *w)
{
	int_map_free(w->scored_files);
	w->scored_files = NULL;
}
