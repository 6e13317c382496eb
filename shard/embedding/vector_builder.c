#include "shard/embedding/vector_builder.h"
#include "shard/embedding/vector_builder_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/embed/embedder.h"
#include "shard/base/options.h"
#include "shard/embedding/test_names.h"
#include "shard/embedding/vector_copy.h"
#include "shard/git/commit_subjects.h"
#include "shard/git/repo.h"
#include "shard/git/repo_ownership.h"
#include "shard/git/repo_source.h"
#include "shard/ingest/ingest.h"
#include "shard/vectors/vector_scan.h"

enum {
	BATCH = 512,			/* texts given to the builtin embedder at once */
	SEGMENT = 1 << 14,		/* rows of a segment, at most about */
	FLUSH_MS = 2000			/* what a crash may cost; of http nothing: it was paid for */
};

/* ---- what there is ---- */

static int read_docs(struct vector_builder *m, struct err *e)
{
	struct stmt *s = db_prep(m->db, "select id, hash, file from docs order by id", e);
	size_t cap = 0;
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		size_t id = (size_t)db_int(s, 0);
		if (db_int(s, 0) < 0 || id >= VECTORS_FILE_ROW)
			rc = err_set(e, ERR_DB_ERROR, "document %lld", (long long)db_int(s, 0));
		else
			rc = 0;
		if (rc)
			break;
		m->docs = grow(m->docs, &cap, id + 1, sizeof *m->docs);
		memset(m->docs + m->n, 0, (id + 1 - m->n) * sizeof *m->docs);
		m->n = id + 1;
		m->docs[id] = (struct embedded_doc){ .hash = (uint64_t)db_int(s, 1), .file = db_int(s, 2) };
		m->total++;
	}
	return rc;
}

struct embedded_doc *vector_builder_doc(const struct vector_builder *m, uint64_t id)
{
	uint64_t file = id & ~(uint64_t)VECTORS_FILE_ROW;

	if (id & VECTORS_FILE_ROW) {
		if (file < m->nfiles && m->files[file].doc.file)
			return &m->files[file].doc;
		return NULL;
	}
	if (id < m->n && m->docs[id].file)
		return &m->docs[id];
	return NULL;
}

bool vector_builder_wants(const struct vector_builder *m, uint64_t id, uint64_t hash)
{
	const struct embedded_doc *d = vector_builder_doc(m, id);

	return d && d->hash == hash && !d->done;
}

static void mark_done(struct vector_builder *m, uint64_t id)
{
	vector_builder_doc(m, id)->done = true;
	m->done += !(id & VECTORS_FILE_ROW);
}

static void reset_done(struct vector_builder *m)
{
	m->segments = m->done = 0;
	for (size_t i = 0; i < m->n; i++)
		m->docs[i].done = false;
	for (size_t i = 0; i < m->nfiles; i++)
		m->files[i].doc.done = m->files[i].old = false;
}

/* ---- the rows of the file that was there ---- */

struct doc_hash {
	uint64_t hash;
	uint32_t id;
};

static int compare_hash(const void *a, const void *b)
{
	const struct doc_hash *x = a, *y = b;

	if (x->hash != y->hash)
		return (x->hash > y->hash) - (x->hash < y->hash);
	return (x->id > y->id) - (x->id < y->id);
}

static struct doc_hash *sorted_docs(const struct vector_builder *m, size_t *n)
{
	struct doc_hash *v = xcalloc(m->total + m->nfiles + 1, sizeof *v);
	size_t k = 0;

	for (size_t id = 0; id < m->n; id++)
		if (m->docs[id].file)
			v[k++] = (struct doc_hash){ m->docs[id].hash, (uint32_t)id };
	for (size_t id = 0; id < m->nfiles; id++)
		if (m->files[id].text)
			v[k++] = (struct doc_hash){ m->files[id].doc.hash, (uint32_t)(VECTORS_FILE_ROW | id) };
	qsort(v, *n = k, sizeof *v, compare_hash);
	return v;
}

/* The first of those with this hash. */
static size_t find_hash(const struct doc_hash *v, size_t n, uint64_t hash)
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

/*
 * Write the file anew with the rows of `old` whose texts are still there, whatever their documents
 * are called now.
 */
static int rewrite(struct vector_builder *m, const struct vectors *old, struct err *e)
{
	struct vectors_head head = old->head;
	size_t nv;
	struct doc_hash *v = sorted_docs(m, &nv);
	int rc;

	memset(head.index, 0, sizeof head.index);
	snprintf(head.index, sizeof head.index, "%s", m->info.file);
	vectors_writer_close(m->w);
	m->w = vectors_create(m->dir, &head, e);
	rc = m->w ? 0 : -1;
	reset_done(m);
	for (size_t s = 0; !rc && s < old->n; s++)
		for (size_t i = 0; !rc && i < old->v[s].n; i++) {
			uint64_t hash = old->v[s].hashes[i];
			for (size_t k = find_hash(v, nv, hash); k < nv && v[k].hash == hash; k++)
				if (!vector_builder_doc(m, v[k].id)->done) {
					vectors_writer_put(m->w, v[k].id, hash, old->v[s].rows + i * old->head.dim,
					    old->v[s].scales[i]);
					mark_done(m, v[k].id);
				}
			if (vectors_buffered_rows(m->w) >= SEGMENT) {
				rc = vectors_writer_flush(m->w, e);
				m->segments++;
			}
		}
	free(v);
	m->segments += !rc && vectors_buffered_rows(m->w) > 0;
	if (rc || vectors_writer_publish(m->w, e))
		return -1;
	return 0;
}

/* Note which documents have rows; how many rows are of none. */
static size_t reuse_rows(struct vector_builder *m, const struct vectors *old)
{
	size_t dead = 0;

	for (size_t s = 0; s < old->n; s++)
		for (size_t i = 0; i < old->v[s].n; i++)
			if (old->v[s].docs[i] & VECTORS_FILE_ROW)
				dead += !file_summaries_match_row(m, old->v[s].docs[i], old->v[s].hashes[i]);
			else if (vector_builder_wants(m, old->v[s].docs[i], old->v[s].hashes[i]))
				mark_done(m, old->v[s].docs[i]);
			else
				dead++;
	return dead;
}

static int take_copy(void *ctx, const struct vectors *theirs, struct err *e)
{
	struct vector_builder *m = ctx;

	m->dim = theirs->head.dim;
	if (!rewrite(m, theirs, e))
		return 0;
	vectors_writer_close(m->w);
	m->w = NULL;
	reset_done(m);
	return -1;
}

/*
 * Go on with the file that is there, as far as it is of use; without any with that of another
 * shard.
 */
static int reuse_old_file(struct vector_builder *m, const struct repo_source *src, struct err *e)
{
	struct vectors *old = vectors_open(m->dir, NULL, NULL);
	const char *fingerprint = embedder_fingerprint(m->embedder);
	int rc = 0;

	if (old && !strcmp(old->head.settings, m->settings) &&
	    (!*fingerprint || !strcmp(old->head.fingerprint, fingerprint))) {
		bool same = !strcmp(old->head.index, m->info.file);
		size_t dead = 0;
		if (same)
			dead = reuse_rows(m, old);
		m->segments = old->n;
		m->dim = old->head.dim;
		if (!same || dead > old->rows / 2 || old->n > VECTORS_SEGMENTS_MAX)
			rc = rewrite(m, old, e);
		else {
			if ((m->w = vectors_append(m->dir, old, e)))
				rc = 0;
			else
				rc = -1;
		}
	} else if (m->o->copy_index)
		vector_copy_fetch(m->o, src, m->settings, fingerprint, take_copy, m, m->a);
	vectors_close(old);
	return rc;
}

/* ---- new rows ---- */

static int begin_file(struct vector_builder *m, struct err *e)
{
	struct vectors_head head;

	memset(&head, 0, sizeof head);
	m->dim = head.dim = (uint32_t)embedder_dim(m->embedder);
	snprintf(head.index, sizeof head.index, "%s", m->info.file);
	snprintf(head.settings, sizeof head.settings, "%s", m->settings);
	snprintf(head.fingerprint, sizeof head.fingerprint, "%s", embedder_fingerprint(m->embedder));
	m->w = vectors_create(m->dir, &head, e);
	if (m->w)
		return vectors_writer_publish(m->w, e);
	return -1;
}

static int flush(struct vector_builder *m, struct err *e)
{
	bool any = m->w && vectors_buffered_rows(m->w);

	if (any && vectors_writer_flush(m->w, e))
		return -1;
	m->segments += any;
	m->flushed_ms = clock_ms();
	ingest_report("vectors %zu %zu", m->done, m->total);
	return 0;
}

void vector_builder_add(
    struct vector_builder *m, uint32_t id, uint64_t hash, const char *text, size_t n)
{
	m->batch = grow(m->batch, &m->cap, m->nbatch + 1, sizeof *m->batch);
	m->batch[m->nbatch++] = (struct pending_text){ id, hash, { text, n } };
}

static int put_rows(struct vector_builder *m, const struct pending_text *v, size_t n,
    const float *vectors, struct err *e)
{
	size_t dim = embedder_dim(m->embedder);
	int8_t *row = arena_many(m->a, dim, int8_t);
	float scale;

	if (!m->w && begin_file(m, e))
		return -1;
	/* the API changed under the same name: the next attempt begins anew */
	if (m->dim != dim) {
		vectors_remove(m->dir);
		return err_set(e, ERR_EMBEDDER_MISMATCH,
		    "vectors of %s had %zu numbers and have %zu now; all are made again", m->o->embed_model,
		    m->dim, dim);
	}
	for (size_t i = 0; i < n; i++) {
		scan_quantise(vectors + i * dim, dim, row, &scale);
		vectors_writer_put(m->w, v[i].id, v[i].hash, row, scale);
		if (vector_builder_wants(m, v[i].id, v[i].hash))
			mark_done(m, v[i].id);
		*(v[i].id & VECTORS_FILE_ROW ? &m->made_files : &m->made) += 1;
	}
	return 0;
}

/*
 * Embed a part of the batch.  Of http it is one request, which has the whole time-out, and whose
 * answer is kept at once.
 */
static int embed_part(
    struct vector_builder *m, const struct pending_text *v, size_t n, struct err *e)
{
	struct embed_text *texts = arena_many(m->a, n, struct embed_text);

	for (size_t i = 0; i < n; i++)
		texts[i] = v[i].text;
	if (embedder_detect_dim(m->embedder, (int)m->o->embed_timeout, e))
		return -1;
	float *vectors = xcalloc(n * embedder_dim(m->embedder), sizeof *vectors);
	int rc = embedder_embed(
	    m->embedder, EMBED_DOCUMENT, texts, n, (int)m->o->embed_timeout, vectors, e);
	if (!rc)
		rc = put_rows(m, v, n, vectors, e);
	free(vectors);
	bool keep = m->w &&
	    (m->http || vectors_buffered_rows(m->w) >= SEGMENT ||
	        clock_ms() - m->flushed_ms > FLUSH_MS);
	if (!rc && keep)
		return flush(m, e);
	return rc;
}

/* A file may have many more documents than a part. */
static int embed_batch(struct vector_builder *m, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < m->nbatch; i += m->want)
		rc = embed_part(m, &m->batch[i], MIN(m->nbatch - i, m->want), e);
	m->nbatch = 0;
	arena_reset(m->a);
	return rc;
}

/* ---- all that is missing ---- */

static int make_missing(struct vector_builder *m, struct err *e)
{
	int64_t last = 0;
	int rc = 0;

	for (size_t id = 0; !rc && id < m->n; id++) {
		const struct embedded_doc *d = &m->docs[id];
		if (!d->file || d->done || d->file == last)
			continue;
		last = d->file;
		rc = vector_builder_add_file(m, d->file, e);
		if (!rc && m->nbatch >= m->want)
			rc = embed_batch(m, e);
	}
	for (size_t i = 0; !rc && i < m->nfiles; i++) {
		const struct file_summary *f = &m->files[i];
		if (!f->text || f->doc.done)
			continue;
		vector_builder_add(
		    m, (uint32_t)(VECTORS_FILE_ROW | i), f->doc.hash, f->text, strlen(f->text));
		if (m->nbatch >= m->want)
			rc = embed_batch(m, e);
	}
	if (!rc)
		rc = embed_batch(m, e);
	if (!rc)
		file_summaries_finish(m);
	struct err ignored;
	return flush(m, rc ? &ignored : e) || rc ? -1 : 0;	/* what was paid for is kept */
}

/* ---- all of it ---- */

static int open_index(struct vector_builder *m, struct err *e)
{
	if (store_current(m->dir, &m->info, e) || !(m->db = store_open(m->dir, m->info.file, e)) ||
	    db_read_begin(m->db, e))
		return -1;
	int rc = 0;
	if (store_read_info(m->db, &m->info, e) || read_docs(m, e) || file_summaries_load(m, e))
		rc = -1;
	db_read_end(m->db);
	if (!rc)
		file_summaries_add_commits(m);	/* not while it reads: that would hold on to the log */
	return rc;
}

/* Many short runs leave many segments. */
static int tidy(struct vector_builder *m, struct err *e)
{
	if (m->segments <= VECTORS_SEGMENTS_MAX)
		return 0;
	vectors_writer_close(m->w);
	m->w = NULL;
	struct vectors *old = vectors_open(m->dir, NULL, e);
	int rc = -1;
	if (old)
		rc = rewrite(m, old, e);
	vectors_close(old);
	return rc;
}

/* It parses nothing, and reaches nobody but the embedder and, for a copy, other shards. */
static int give_up(const struct vector_builder *m, const struct repo_source *src, struct err *e)
{
	const char *const files[] = { m->o->embed_key_file, m->o->cluster_key_file, m->o->tls_ca,
		m->o->tls_cert, m->o->tls_key };
	struct sandbox box = ingest_sandbox(m->o, src, m->repo, m->a);

	if (!strcmp(m->o->embedder, "http") || m->o->copy_index) {
		sandbox_allow_network(&box);
		for (size_t i = 0; i < LEN(files); i++)
			if (*files[i])
				sandbox_allow(&box, files[i], LANDLOCK_READ);
	}
	repo_safe_preload();
	repo_isolate_config();
	return sandbox_enter(&box, e);
}

static int make_all(struct vector_builder *m, const struct repo_source *src, struct err *e)
{
	int64_t started = clock_ms();

	if (!(m->repo = repo_open(src->place, e)) || give_up(m, src, e) || open_index(m, e))
		return -1;
	vectors_settings(m->o, m->embedder, m->settings);
	m->http = !strcmp(m->o->embedder, "http");
	if (!m->http)
		m->want = BATCH;
	else if (m->o->embed_batch > 0)
		m->want = (size_t)m->o->embed_batch;
	else
		m->want = 64;
	m->flushed_ms = started;
	if (reuse_old_file(m, src, e))
		return -1;
	ingest_report("vectors %zu %zu", m->done, m->total);
	int rc = 0;
	if (make_missing(m, e) || tidy(m, e))
		rc = -1;
	log_info("vectors.done",
	    "repo=%s index=%s generation=%lld documents=%zu have=%zu embedded=%zu told=%zu embedder=%s ms=%lld",
	    log_quote(src->name), m->info.file, (long long)m->info.generation, m->total, m->done,
	    m->made, m->made_files, log_quote(embedder_fingerprint(m->embedder)),
	    (long long)(clock_ms() - started));
	return rc;
}

int vector_builder_run(const struct options *o, struct err *e)
{
	struct arena *a = arena_new();
	struct vector_builder m = { .o = o, .a = arena_new() };
	struct repo_source src;

	ingest_set_limits(o);
	errno = 0;
	if (nice(10) < 0 && errno)
		log_debug("vectors.nice_failed", "error=%s", strerror(errno));
	if (!strcmp(o->embedder, "builtin"))
		ingest_acquire_slot(o);
	int rc = 0;
	if (repo_source_resolve(&src, o, a, e) || !(m.embedder = vectors_embedder(o, e)))
		rc = -1;
	m.dir = rc ? "" : src.data;
	if (!rc)
		rc = make_all(&m, &src, e);
	if (rc)
		ingest_report("error %s %s", err_name(e->code), e->msg);
	else
		ingest_report(m.made || m.made_files ? "published" : "unchanged");
	vectors_writer_close(m.w);
	db_close(m.db);
	repo_close(m.repo);
	embedder_free(m.embedder);
	commit_subjects_free(m.commit_subjects);
	test_names_free(m.test_names);
	arena_free(m.summary_arena);
	free(m.docs);
	free(m.files);
	free(m.batch);
	arena_free(m.a);
	arena_free(a);
	return rc ? 1 : 0;
}
