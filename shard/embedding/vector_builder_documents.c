/* The documents of the index and their texts: vector_builder_internal.h. */
#include "shard/embedding/vector_builder_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "shard/git/repo.h"
#include "shard/index/bm25.h"
#include "shard/index/document_prior.h"
#include "shard/vectors/vector_text.h"

int vector_builder_read_docs(struct vector_builder *m, struct err *e)
{
	struct ranking r;
	void *mem = NULL;
	int rc = store_read_ranking(m->db, &r, &mem, e);

	if (!rc && r.n > VECTORS_FILE_ROW)
		rc = err_set(e, ERR_DB_ERROR, "the index has documents with ids up to %zu", r.n - 1);
	if (!rc)
		m->docs = xcalloc(r.n + 1, sizeof *m->docs);
	for (size_t i = 0; !rc && i < r.n; i++) {
		if (!r.lengths[i])
			continue;
		m->docs[i] = (struct embedded_doc){ .hash = r.hashes[i], .file = r.files[i] };
		m->total++;
	}
	if (!rc)
		m->n = r.n;
	free(mem);
	return rc;
}

int vector_builder_read_hashes(struct vector_builder *m, struct err *e)
{
	struct stmt *s = db_prep(m->db, "select id, hash from documents", e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		size_t id = (size_t)db_int(s, 0);
		if (id < m->n && m->docs[id].file)	/* others are of a later generation */
			m->docs[id].hash = (uint64_t)db_int(s, 1);
	}
	return rc;
}

struct file_docs {
	char *path, *blob;
	bool prose;
	struct vector_doc *v;
	size_t n;
};

static int read_file_row(struct vector_builder *m, int64_t file, struct file_docs *f, struct err *e)
{
	struct stmt *s = db_prep(m->db, "select path, blob, language from files where id = ?", e);
	int rc;

	if (!s || db_bind(s, "i", file))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		f->path = arena_str(m->a, db_str(s, 0));
		f->blob = arena_str(m->a, db_str(s, 1));
		f->prose = language_is_prose(db_str(s, 2));
	}
	return rc;
}

static int read_file_docs(
    struct vector_builder *m, int64_t file, struct file_docs *f, struct err *e)
{
	struct stmt *s = db_prep(m->db,
	    "select d.id, d.hash, d.start_line, d.end_line, d.symbol is null, s.qualified, s.doc"
	    " from docs d left join symbols s on s.id = d.symbol where d.file = ? order by"
	    " d.start_line, d.end_line desc, d.id",
	    e);
	struct vector_doc *v = NULL;
	size_t cap = 0;
	int rc;

	if (!s || db_bind(s, "i", file))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		v = grow(v, &cap, f->n + 1, sizeof *v);
		v[f->n++] = (struct vector_doc){
			.id = db_int(s, 0),
			.hash = (uint64_t)db_int(s, 1),
			.start_line = (uint32_t)db_int(s, 2),
			.end_line = (uint32_t)db_int(s, 3),
			.gap = db_int(s, 4),
			.doc = db_copy_text(s, 6, m->a),
			.qualified = db_copy_text(s, 5, m->a),
			.wanted = vector_builder_wants(m, (uint64_t)db_int(s, 0), (uint64_t)db_int(s, 1)),
		};
	}
	f->v = arena_many(m->a, f->n + 1, struct vector_doc);
	if (f->n)
		memcpy(f->v, v, f->n * sizeof *v);
	free(v);
	return rc;
}

/* A blob that cannot be read has an empty text. */
int vector_builder_add_file(struct vector_builder *m, int64_t file, struct err *e)
{
	struct file_docs f = { 0 };
	struct buf text = { 0 };

	db_read_begin(m->db, e);
	int rc = read_file_row(m, file, &f, e);
	if (!rc)
		rc = read_file_docs(m, file, &f, e);
	db_read_end(m->db);
	if (!rc && f.path) {
		struct err why = { 0 };
		buf_str(&text, "");	/* never NULL */
		if (repo_blob_text(m->repo, f.blob, &text, &why))
			log_warn("vectors.text_unreadable", "path=%s message=%s", log_quote(f.path),
			    log_quote(why.msg));
		vector_texts(f.path, f.prose, text.p, text.n, f.v, f.n, m->a);
	}
	buf_free(&text);
	for (size_t i = 0; !rc && i < f.n; i++)
		if (f.v[i].wanted)
			vector_builder_add(m, (uint32_t)f.v[i].id, f.v[i].hash, f.v[i].p, f.v[i].n);
	return rc;
}
