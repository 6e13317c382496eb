/* The documents of a file that changes: those with the same text keep their rows. */
#include "shard/index/delta_writer_internal.h"

#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/index/index_rows.h"
#include "shard/index/postings.h"
#include "shard/index/ranking_rows.h"

enum { POSTINGS_MEMORY = 64 << 20 };	/* bytes of postings in memory before they are written */

/* A document of the published file: its row, and the document of the old facts that made it. */
struct stored_doc {
	int64_t id, hash;
	const struct document *d;	/* has this hash */
	bool kept;			/* the new file has the same text */
};

struct stored_docs {
	struct stored_doc *v;
	size_t n;
};

static int by_hash(const void *a, const void *b)
{
	const struct stored_doc *x = a, *y = b;

	if (x->hash != y->hash)
		return (x->hash > y->hash) - (x->hash < y->hash);
	return (x->id > y->id) - (x->id < y->id);
}

/* Reads the rows of the file's documents. At most `n` are written to `v`; *rows is their number. */
static int read_doc_rows(struct delta_writer *u, int64_t file, struct stored_doc *v, size_t n,
    size_t *rows, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select id, hash from docs where file = ?", e);
	int rc;

	if (!s || db_bind(s, "i", file))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (*rows < n)
			v[*rows] = (struct stored_doc){ .id = db_int(s, 0), .hash = db_int(s, 1) };
		++*rows;
	}
	return rc;
}

/*
 * Reads the documents of a file, sorted by hash. Sets *lost if they are not those of the old facts.
 */
static int read_stored_docs(struct delta_writer *u, const struct row_file *was,
    struct stored_docs *out, bool *lost, struct err *e)
{
	size_t n = was->generated ? 0 : was->f->documents.n;
	struct stored_doc *made = arena_many(u->a, n + 1, struct stored_doc);

	out->v = arena_many(u->a, n + 1, struct stored_doc);
	if (read_doc_rows(u, was->id, out->v, n, &out->n, e))
		return -1;
	if (out->n != n)
		*lost = true;
	if (*lost)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const struct document *d = &was->f->documents.v[i];
		made[i] = (struct stored_doc){ (int64_t)i, rows_text(was, d).hash, d, false };
	}
	qsort(made, n, sizeof *made, by_hash);
	qsort(out->v, n, sizeof *out->v, by_hash);
	for (size_t i = 0; i < n; i++) {
		if (made[i].hash != out->v[i].hash)
			*lost = true;
		out->v[i].d = made[i].d;
	}
	return 0;
}

/* The first document with this hash that is not yet kept, or NULL. */
static struct stored_doc *find_same_text(struct stored_docs *old, int64_t hash)
{
	size_t lo = 0, hi = old->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (old->v[mid].hash < hash)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < old->n && old->v[lo].hash == hash; lo++)
		if (!old->v[lo].kept)
			return &old->v[lo];
	return NULL;
}

static int put_document(struct delta_writer *u, const struct row_file *r, const struct document *d,
    struct stored_docs *old, const int64_t *ids, struct err *e)
{
	struct row_text t = rows_text(r, d);
	struct ranking_row ranks = { 0, t.prior, (uint32_t)r->id, (uint32_t)t.hash, t.id };
	struct stored_doc *same = find_same_text(old, t.hash);
	int64_t id;
	int rc;

	u->n.documents++;
	if (same) {
		same->kept = true;
		id = same->id;
		rc = ranking_rows_update(u->ranking, id, ranks, e);
	} else {
		id = ++u->last_doc;
		ranks.length = postings_add(u->postings, id, &t.texts);
		rc = ranking_rows_set(u->ranking, id, &ranks, e);
	}
	if (rc)
		return -1;
	return rows_put_doc(u->db, r, id, d, t.hash, ids, e);
}

static int drop_document(
    struct delta_writer *u, const struct row_file *was, const struct stored_doc *old, struct err *e)
{
	struct row_text t = rows_text(was, old->d);

	if (postings_remove(u->db, old->id, &t.texts, e))
		return -1;
	if (ranking_rows_set(u->ranking, old->id, &(struct ranking_row){ 0 }, e))
		return -1;
	return db_run(u->db, e, "delete from documents where id = ?", "i", old->id);
}

static int drop_documents(struct delta_writer *u, const struct row_file *was,
    const struct stored_docs *old, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < old->n; i++)
		if (!old->v[i].kept)
			rc = drop_document(u, was, &old->v[i], e);
	u->n.documents -= (int64_t)old->n;
	return rc;
}

int delta_documents_put(struct delta_writer *u, const struct row_file *was,
    const struct row_file *is, const int64_t *ids, bool *lost, struct err *e)
{
	struct stored_docs old = { 0 };
	size_t n = 0;

	if (is && !is->generated)
		n = is->f->documents.n;
	if (was && read_stored_docs(u, was, &old, lost, e))
		return -1;
	if (*lost)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (put_document(u, is, &is->f->documents.v[i], &old, ids, e))
			return -1;
	if (drop_documents(u, was, &old, e))
		return -1;
	if (postings_memory_bytes(u->postings) > POSTINGS_MEMORY)
		return postings_write(u->postings, u->db, e);
	return 0;
}
