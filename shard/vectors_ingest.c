#include "shard/vectors_ingest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/text/embedder.h"
#include "shard/ingest_own.h"
#include "shard/options.h"
#include "shard/prior.h"
#include "shard/repo.h"
#include "shard/scan.h"
#include "shard/source.h"
#include "shard/store.h"
#include "shard/vector_text.h"
#include "shard/vectors.h"
#include "shard/vectors_copy.h"

enum {
	BATCH = 512,			/* texts given to a builtin embedder at once */
	SEGMENT = 1 << 14,		/* rows of a segment, at most about */
	FLUSH_MS = 2000			/* what a crash may cost; of http nothing: it was paid for */
};

/* A document of the index. */
struct doc {
	uint64_t hash;
	int64_t file;			/* 0: there is none of this id */
	bool done;			/* has a vector */
};

struct making {
	const struct options *o;
	const char *dir;
	struct embedder *embedder;
	bool http;
	struct index_info info;
	struct db *db;
	struct repo *repo;
	struct doc *docs;		/* by id */
	size_t n, total, done;
	size_t segments, dim;		/* of the file that is appended to */
	char settings[VECTORS_TEXT];
	struct vectors_writer *w;	/* NULL until there is a row */
	size_t made;			/* by this run */
	int64_t flushed_ms;

	struct arena *a;		/* of the batch */
	struct pending *batch;
	size_t nbatch, cap, want;
};

/* A text that waits to be embedded. */
struct pending {
	uint32_t id;
	uint64_t hash;
	struct embed_text text;
};

/* ---- what there is ---- */

static int read_docs(struct making *m, struct err *e)
{
	struct stmt *s = db_prep(m->db, "select id, hash, file from docs order by id", e);
	size_t cap = 0;
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		size_t id = (size_t)db_int(s, 0);
		rc = db_int(s, 0) < 0 || id > UINT32_MAX ? err_set(e, ERR_DB_ERROR, "document %lld", (long long)db_int(s, 0)) : 0;
		if (rc)
			break;
		m->docs = grow(m->docs, &cap, id + 1, sizeof *m->docs);
		memset(m->docs + m->n, 0, (id + 1 - m->n) * sizeof *m->docs);
		m->n = id + 1;
		m->docs[id] = (struct doc){ .hash = (uint64_t)db_int(s, 1), .file = db_int(s, 2) };
		m->total++;
	}
	return rc;
}

static bool wants(const struct making *m, uint64_t id, uint64_t hash)
{
	return id < m->n && m->docs[id].file && m->docs[id].hash == hash && !m->docs[id].done;
}

static void mark(struct making *m, uint64_t id)
{
	m->docs[id].done = true;
	m->done++;
}

/* ---- the rows of the file that was there ---- */

struct by_hash {
	uint64_t hash;
	uint32_t id;
};

static int compare_hash(const void *a, const void *b)
{
	const struct by_hash *x = a, *y = b;

	return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash) : (x->id > y->id) - (x->id < y->id);
}

static struct by_hash *sorted_docs(const struct making *m)
{
	struct by_hash *v = calloc(m->total + 1, sizeof *v);
	size_t k = 0;

	if (!v)
		abort();
	for (size_t id = 0; id < m->n; id++)
		if (m->docs[id].file)
			v[k++] = (struct by_hash){ m->docs[id].hash, (uint32_t)id };
	qsort(v, k, sizeof *v, compare_hash);
	return v;
}

/* The first of those with this hash. */
static size_t find_hash(const struct by_hash *v, size_t n, uint64_t hash)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (v[mid].hash < hash)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Write the file anew with the rows of `old` whose texts are still there, whatever their documents are called now. */
static int rewrite(struct making *m, const struct vectors *old, struct err *e)
{
	struct vectors_head head = old->head;
	struct by_hash *v = sorted_docs(m);
	int rc;

	memset(head.index, 0, sizeof head.index);
	snprintf(head.index, sizeof head.index, "%s", m->info.file);
	vectors_end(m->w);
	m->w = vectors_create(m->dir, &head, e);
	rc = m->w ? 0 : -1;
	m->segments = 0;
	m->done = 0;
	for (size_t i = 0; i < m->n; i++)
		m->docs[i].done = false;
	for (size_t s = 0; !rc && s < old->n; s++)
		for (size_t i = 0; !rc && i < old->v[s].n; i++) {
			uint64_t hash = old->v[s].hashes[i];
			for (size_t k = find_hash(v, m->total, hash); k < m->total && v[k].hash == hash; k++)
				if (!m->docs[v[k].id].done) {
					vectors_put(m->w, v[k].id, hash, old->v[s].rows + i * old->head.dim, old->v[s].scales[i]);
					mark(m, v[k].id);
				}
			if (vectors_waiting(m->w) >= SEGMENT) {
				rc = vectors_flush(m->w, e);
				m->segments++;
			}
		}
	free(v);
	m->segments += !rc && vectors_waiting(m->w) > 0;
	return rc || vectors_publish(m->w, e) ? -1 : 0;
}

/* Note which documents have rows; how many rows are of none. */
static size_t take_rows(struct making *m, const struct vectors *old)
{
	size_t dead = 0;

	for (size_t s = 0; s < old->n; s++)
		for (size_t i = 0; i < old->v[s].n; i++)
			if (wants(m, old->v[s].docs[i], old->v[s].hashes[i]))
				mark(m, old->v[s].docs[i]);
			else
				dead++;
	return dead;
}

static int take_copy(void *ctx, const struct vectors *theirs, struct err *e)
{
	struct making *m = ctx;

	m->dim = theirs->head.dim;
	if (!rewrite(m, theirs, e))
		return 0;
	vectors_end(m->w);
	m->w = NULL;
	m->segments = m->done = 0;
	for (size_t i = 0; i < m->n; i++)
		m->docs[i].done = false;
	return -1;
}

/* Go on with the file that is there, as far as it is of use; without any with that of another shard. */
static int take_old(struct making *m, const struct source *src, struct err *e)
{
	struct vectors *old = vectors_open(m->dir, NULL, NULL);
	const char *fingerprint = embedder_fingerprint(m->embedder);
	int rc = 0;

	if (old && !strcmp(old->head.settings, m->settings) && (!*fingerprint || !strcmp(old->head.fingerprint, fingerprint))) {
		bool same = !strcmp(old->head.index, m->info.file);
		size_t dead = same ? take_rows(m, old) : 0;
		m->segments = old->n;
		m->dim = old->head.dim;
		if (!same || dead > old->rows / 2 || old->n > VECTORS_SEGMENTS)
			rc = rewrite(m, old, e);
		else
			rc = (m->w = vectors_append(m->dir, old, e)) ? 0 : -1;
	} else if (m->o->copy_index)
		vectors_copy(m->o, src, m->settings, fingerprint, take_copy, m, m->a);
	vectors_close(old);
	return rc;
}

/* ---- new rows ---- */

static int begin_file(struct making *m, struct err *e)
{
	struct vectors_head head;

	memset(&head, 0, sizeof head);
	m->dim = head.dim = (uint32_t)embedder_dim(m->embedder);
	snprintf(head.index, sizeof head.index, "%s", m->info.file);
	snprintf(head.settings, sizeof head.settings, "%s", m->settings);
	snprintf(head.fingerprint, sizeof head.fingerprint, "%s", embedder_fingerprint(m->embedder));
	m->w = vectors_create(m->dir, &head, e);
	return m->w ? vectors_publish(m->w, e) : -1;
}

static int flush(struct making *m, struct err *e)
{
	bool any = m->w && vectors_waiting(m->w);

	if (any && vectors_flush(m->w, e))
		return -1;
	m->segments += any;
	m->flushed_ms = clock_ms();
	ingest_tell("vectors %zu %zu", m->done, m->total);
	return 0;
}

static int put_rows(struct making *m, const float *v, struct err *e)
{
	size_t dim = embedder_dim(m->embedder);
	int8_t *row = arena_many(m->a, dim, int8_t);
	float scale;

	if (!m->w && begin_file(m, e))
		return -1;
	if (m->dim != dim) {		/* the API changed under the same name: the next attempt begins anew */
		vectors_forget(m->dir);
		return err_set(e, ERR_EMBEDDER_MISMATCH, "vectors of %s had %zu numbers and have %zu now; all are made again",
		    m->o->embed_model, m->dim, dim);
	}
	for (size_t i = 0; i < m->nbatch; i++) {
		scan_quantise(v + i * dim, dim, row, &scale);
		vectors_put(m->w, m->batch[i].id, m->batch[i].hash, row, scale);
		if (wants(m, m->batch[i].id, m->batch[i].hash))
			mark(m, m->batch[i].id);
	}
	m->made += m->nbatch;
	return 0;
}

static int embed_batch(struct making *m, struct err *e)
{
	struct embed_text *texts = arena_many(m->a, m->nbatch + 1, struct embed_text);
	int rc = 0;

	for (size_t i = 0; i < m->nbatch; i++)
		texts[i] = m->batch[i].text;
	if (m->nbatch && !(rc = embedder_ready(m->embedder, (int)m->o->embed_timeout, e))) {
		float *v = calloc(m->nbatch * embedder_dim(m->embedder), sizeof *v);
		if (!v)
			abort();
		rc = embedder_texts(m->embedder, EMBED_DOCUMENT, texts, m->nbatch, (int)m->o->embed_timeout, v, e);
		rc = rc ? rc : put_rows(m, v, e);
		free(v);
	}
	m->nbatch = 0;
	arena_reset(m->a);
	if (!rc && m->w && (m->http || vectors_waiting(m->w) >= SEGMENT || clock_ms() - m->flushed_ms > FLUSH_MS))
		rc = flush(m, e);
	return rc;
}

/* ---- the documents of a file ---- */

struct file_docs {
	char *path, *blob;
	bool prose;
	struct vector_doc *v;
	size_t n;
};

static int read_file_row(struct making *m, int64_t file, struct file_docs *f, struct err *e)
{
	struct stmt *s = db_prep(m->db, "select path, blob, language from files where id = ?", e);
	int rc = s ? db_bind(s, "i", file) : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		f->path = arena_str(m->a, db_str(s, 0));
		f->blob = arena_str(m->a, db_str(s, 1));
		f->prose = prior_prose(db_str(s, 2));
		rc = 0;
	}
	return rc;
}

static int read_file_docs(struct making *m, int64_t file, struct file_docs *f, struct err *e)
{
	struct stmt *s = db_prep(m->db, "select d.id, d.hash, d.start_line, d.end_line, d.symbol is null, s.qualified, s.doc"
	    " from docs d left join symbols s on s.id = d.symbol where d.file = ? order by d.start_line, d.end_line desc, d.id", e);
	struct vector_doc *v = NULL;
	size_t cap = 0;
	int rc = s ? db_bind(s, "i", file) : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		v = grow(v, &cap, f->n + 1, sizeof *v);
		v[f->n++] = (struct vector_doc){
			.id = db_int(s, 0), .hash = (uint64_t)db_int(s, 1), .start_line = (uint32_t)db_int(s, 2),
			.end_line = (uint32_t)db_int(s, 3), .gap = db_int(s, 4),
			.doc = db_null(s, 6) ? NULL : arena_str(m->a, db_str(s, 6)),
			.qualified = db_null(s, 5) ? NULL : arena_str(m->a, db_str(s, 5)),
			.wanted = wants(m, (uint64_t)db_int(s, 0), (uint64_t)db_int(s, 1)),
		};
		rc = 0;
	}
	f->v = arena_many(m->a, f->n + 1, struct vector_doc);
	if (f->n)
		memcpy(f->v, v, f->n * sizeof *v);
	free(v);
	return rc;
}

/* Put the texts of a file's documents into the batch.  A blob that cannot be read has nothing to say. */
static int add_file(struct making *m, int64_t file, struct err *e)
{
	struct file_docs f = { 0 };
	struct buf text = { 0 };

	db_read_begin(m->db, e);
	int rc = read_file_row(m, file, &f, e) || read_file_docs(m, file, &f, e) ? -1 : 0;
	db_read_end(m->db);
	if (!rc && f.path) {
		struct err why = { 0 };
		if (repo_text(m->repo, f.blob, &text, &why))
			log_warn("vectors.missing", "path=%s message=%s", log_quote(f.path), log_quote(why.msg));
		vector_texts(f.path, f.prose, text.p ? text.p : "", text.n, f.v, f.n, m->a);
	}
	buf_free(&text);
	for (size_t i = 0; !rc && i < f.n; i++) {
		if (!f.v[i].wanted)
			continue;
		m->batch = grow(m->batch, &m->cap, m->nbatch + 1, sizeof *m->batch);
		m->batch[m->nbatch++] = (struct pending){ (uint32_t)f.v[i].id, f.v[i].hash, { f.v[i].p, f.v[i].n } };
	}
	return rc;
}

static int make_missing(struct making *m, struct err *e)
{
	int64_t last = 0;
	int rc = 0;

	for (size_t id = 0; !rc && id < m->n; id++) {
		const struct doc *d = &m->docs[id];
		if (!d->file || d->done || d->file == last)
			continue;
		last = d->file;
		rc = add_file(m, d->file, e);
		if (!rc && m->nbatch >= m->want)
			rc = embed_batch(m, e);
	}
	rc = rc ? rc : embed_batch(m, e);
	struct err ignored;
	return flush(m, rc ? &ignored : e) || rc ? -1 : 0;	/* what was paid for is kept */
}

/* ---- all of it ---- */

static int open_index(struct making *m, const struct source *src, struct err *e)
{
	if (store_current(m->dir, &m->info, e) || !(m->db = store_open(m->dir, m->info.file, e)) ||
	    !(m->repo = repo_open(src->place, e)) || db_read_begin(m->db, e))
		return -1;
	int rc = store_info(m->db, &m->info, e) || read_docs(m, e) ? -1 : 0;
	db_read_end(m->db);
	return rc;
}

/* Many short runs leave many segments. */
static int tidy(struct making *m, struct err *e)
{
	if (m->segments <= VECTORS_SEGMENTS)
		return 0;
	vectors_end(m->w);
	m->w = NULL;
	struct vectors *old = vectors_open(m->dir, NULL, e);
	int rc = old ? rewrite(m, old, e) : -1;
	vectors_close(old);
	return rc;
}

static int make_all(struct making *m, const struct source *src, struct err *e)
{
	int64_t started = clock_ms();

	if (open_index(m, src, e))
		return -1;
	vectors_settings(m->o, m->embedder, m->settings);
	m->http = !strcmp(m->o->embedder, "http");
	m->want = !m->http ? BATCH : m->o->embed_batch > 0 ? (size_t)m->o->embed_batch : 64;
	m->flushed_ms = started;
	if (take_old(m, src, e))
		return -1;
	ingest_tell("vectors %zu %zu", m->done, m->total);
	int rc = make_missing(m, e) || tidy(m, e) ? -1 : 0;
	log_info("vectors.done", "repo=%s index=%s generation=%lld documents=%zu have=%zu embedded=%zu embedder=%s ms=%lld",
	    log_quote(src->name), m->info.file, (long long)m->info.generation, m->total, m->done, m->made,
	    log_quote(embedder_fingerprint(m->embedder)), (long long)(clock_ms() - started));
	return rc;
}

int vectors_ingest(const struct options *o, struct err *e)
{
	struct arena *a = arena_new();
	struct making m = { .o = o, .a = arena_new() };
	struct source src;

	ingest_limits(o);
	errno = 0;
	if (nice(10) < 0 && errno)
		log_debug("vectors.nice", "error=%s", strerror(errno));
	if (!strcmp(o->embedder, "builtin"))
		ingest_slot(o);
	int rc = source_find(&src, o, a, e) || !(m.embedder = vectors_embedder(o, e)) ? -1 : 0;
	m.dir = rc ? "" : src.data;
	rc = rc ? rc : make_all(&m, &src, e);
	if (rc)
		ingest_tell("error %s %s", err_name(e->code), e->msg);
	else
		ingest_tell(m.made ? "published" : "unchanged");
	vectors_end(m.w);
	db_close(m.db);
	repo_close(m.repo);
	embedder_free(m.embedder);
	free(m.docs);
	free(m.batch);
	arena_free(m.a);
	arena_free(a);
	return rc ? 1 : 0;
}
