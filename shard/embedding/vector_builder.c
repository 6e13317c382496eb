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
	HTTP_BATCH = 64,		/* texts per HTTP request unless the options give a number */
	SEGMENT = 1 << 14,		/* maximum rows of a segment, approximately */
	FLUSH_MS = 2000			/* the work that a crash may lose; HTTP results are flushed at once */
};

/* ---- the documents of the index ---- */

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

	return d && (uint32_t)d->hash == (uint32_t)hash && !d->done;
}

static void mark_done(struct vector_builder *m, uint64_t id)
{
	vector_builder_doc(m, id)->done = true;
	m->done += !(id & VECTORS_FILE_ROW);
}

static void reset_done(struct vector_builder *m)
{
	m->segments = m->rows = m->dead = m->done = 0;
	for (size_t i = 0; i < m->n; i++)
		m->docs[i].done = false;
	for (size_t i = 0; i < m->nfiles; i++)
		m->files[i].doc.done = m->files[i].old = false;
}

/* ---- the rows of the existing file ---- */

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
	qsort(v, k, sizeof *v, compare_hash);
	*n = k;
	return v;
}

/* The index of the first document with this hash. */
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

/* Gives the row to all documents with this text that have no vector yet. */
static void put_row(struct vector_builder *m, const struct doc_hash *docs, size_t n, uint64_t hash,
    const int8_t *row, float scale)
{
	for (size_t k = find_hash(docs, n, hash); k < n && docs[k].hash == hash; k++) {
		if (vector_builder_doc(m, docs[k].id)->done)
			continue;
		vectors_writer_put(m->w, docs[k].id, hash, row, scale);
		mark_done(m, docs[k].id);
	}
}

/* Writes the rows in memory as a segment. */
static int flush_rows(struct vector_builder *m, struct err *e)
{
	size_t n = vectors_buffered_rows(m->w);

	m->segments += n > 0;
	m->rows += n;
	return vectors_writer_flush(m->w, e);
}

static int put_rows_of(struct vector_builder *m, const struct vectors *old,
    const struct doc_hash *docs, size_t ndocs, struct err *e)
{
	for (size_t s = 0; s < old->n; s++)
		for (size_t i = 0; i < old->v[s].n; i++) {
			put_row(m, docs, ndocs, old->v[s].hashes[i], old->v[s].rows + i * old->head.dim,
			    old->v[s].scales[i]);
			if (vectors_buffered_rows(m->w) >= SEGMENT && flush_rows(m, e))
				return -1;
		}
	return 0;
}

/*
 * Writes a new file with the rows of `old` whose texts still exist, whatever the ids of their
 * documents are now. `finished`: they are all that there are to be.
 */
static int rewrite(
    struct vector_builder *m, const struct vectors *old, bool finished, struct err *e)
{
	struct vectors_head head = old->head;

	memset(head.index, 0, sizeof head.index);
	snprintf(head.index, sizeof head.index, "%s", m->info.file);
	vectors_writer_close(m->w);
	m->w = vectors_create(m->dir, &head, e);
	reset_done(m);
	if (!m->w || vector_builder_read_hashes(m, e))
		return -1;
	size_t ndocs;
	struct doc_hash *docs = sorted_docs(m, &ndocs);
	int rc = put_rows_of(m, old, docs, ndocs, e);
	free(docs);
	if (!rc && finished)
		file_summaries_finish(m);
	if (!rc)
		rc = flush_rows(m, e);
	if (rc)
		return rc;
	return vectors_writer_publish(m->w, e);
}

/* Whether a stored row is the vector of a present text; then the text is done. */
static bool reuse_row(struct vector_builder *m, uint64_t id, uint64_t hash)
{
	if (id & VECTORS_FILE_ROW)
		return file_summaries_match_row(m, id, hash);
	if (!vector_builder_wants(m, id, hash))
		return false;
	mark_done(m, id);
	return true;
}

/* Notes which documents have rows.  Returns the number of rows that no document uses. */
static size_t reuse_rows(struct vector_builder *m, const struct vectors *old)
{
	size_t dead = 0;

	for (size_t s = 0; s < old->n; s++)
		for (size_t i = 0; i < old->v[s].n; i++)
			dead += !reuse_row(m, old->v[s].docs[i], old->v[s].hashes[i]);
	return dead;
}

static int take_copy(void *ctx, const struct vectors *theirs, struct err *e)
{
	struct vector_builder *m = ctx;

	m->dim = theirs->head.dim;
	if (!rewrite(m, theirs, false, e))
		return 0;
	vectors_writer_close(m->w);
	m->w = NULL;
	reset_done(m);
	return -1;
}

/* Whether the vectors are of these texts and this embedder. */
static bool is_usable(
    const struct vector_builder *m, const struct vectors *old, const char *fingerprint)
{
	if (!old || strcmp(old->head.settings, m->settings))
		return false;
	return !*fingerprint || !strcmp(old->head.fingerprint, fingerprint);
}

/* Continues the file, in place if it belongs to this index. */
static int continue_file(struct vector_builder *m, const struct vectors *old, struct err *e)
{
	m->dim = old->head.dim;
	if (strcmp(old->head.index, m->info.file))
		return rewrite(m, old, false, e);
	m->dead = reuse_rows(m, old);
	m->rows = old->rows;
	m->segments = old->n;
	m->w = vectors_append(m->dir, old, e);
	if (!m->w)
		return -1;
	return 0;
}

/* Continues the existing file as far as it can be used, or else that of another shard. */
static int reuse_old_file(struct vector_builder *m, const struct repo_source *src, struct err *e)
{
	struct vectors_checkpoint verified = vectors_checkpoint_inherited();
	struct vectors *old = vectors_open(m->dir, &verified, NULL);
	const char *fingerprint = embedder_fingerprint(m->embedder);
	int rc = 0;

	if (is_usable(m, old, fingerprint))
		rc = continue_file(m, old, e);
	else if (m->o->copy_index)
		vector_copy_fetch(m->o, src, m->settings, fingerprint, take_copy, m, m->a);
	vectors_close(old);
	return rc;
}

/* ---- new rows ---- */

static int begin_file(struct vector_builder *m, struct err *e)
{
	struct vectors_head head;

	memset(&head, 0, sizeof head);
	head.dim = (uint32_t)embedder_dim(m->embedder);
	m->dim = head.dim;
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
	if (m->w && flush_rows(m, e))
		return -1;
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
	if (m->dim != dim) {	/* the API changed under the same name: the next attempt starts over */
		vectors_remove(m->dir);
		return err_set(e, ERR_EMBEDDER_MISMATCH,
		    "vectors of model `%s` had dimension %zu and have %zu now; all are made again",
		    m->o->embed_model, m->dim, dim);
	}
	for (size_t i = 0; i < n; i++) {
		scan_quantise(vectors + i * dim, dim, row, &scale);
		vectors_writer_put(m->w, v[i].id, v[i].hash, row, scale);
		if (vector_builder_wants(m, v[i].id, v[i].hash))
			mark_done(m, v[i].id);
		if (v[i].id & VECTORS_FILE_ROW)
			m->made_files++;
		else
			m->made++;
	}
	return 0;
}

static bool is_flush_due(const struct vector_builder *m)
{
	if (!m->w)
		return false;
	if (m->http || vectors_buffered_rows(m->w) >= SEGMENT)
		return true;
	return clock_ms() - m->flushed_ms > FLUSH_MS;
}

/*
 * Embeds a part of the batch. Over HTTP this is one request, which may use the whole time-out, and
 * whose answer is flushed at once.
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
	if (!rc && is_flush_due(m))
		return flush(m, e);
	return rc;
}

/* Embeds the batch in parts: a file may have many more documents than a part. */
static int embed_batch(struct vector_builder *m, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < m->nbatch; i += m->want)
		rc = embed_part(m, &m->batch[i], MIN(m->nbatch - i, m->want), e);
	m->nbatch = 0;
	arena_reset(m->a);
	return rc;
}

/* ---- missing vectors ---- */

static int embed_documents(struct vector_builder *m, struct err *e)
{
	int64_t last = 0;

	for (size_t id = 0; id < m->n; id++) {
		const struct embedded_doc *d = &m->docs[id];
		if (!d->file || d->done || d->file == last)
			continue;
		last = d->file;
		if (vector_builder_add_file(m, d->file, e))
			return -1;
		if (m->nbatch >= m->want && embed_batch(m, e))
			return -1;
	}
	return 0;
}

static int embed_summaries(struct vector_builder *m, struct err *e)
{
	for (size_t i = 0; i < m->nfiles; i++) {
		const struct file_summary *f = &m->files[i];
		if (!f->text || f->doc.done)
			continue;
		vector_builder_add(
		    m, (uint32_t)(VECTORS_FILE_ROW | i), f->doc.hash, f->text, strlen(f->text));
		if (m->nbatch >= m->want && embed_batch(m, e))
			return -1;
	}
	return 0;
}

static int make_missing(struct vector_builder *m, struct err *e)
{
	int rc = embed_documents(m, e);

	if (!rc)
		rc = embed_summaries(m, e);
	if (!rc)
		rc = embed_batch(m, e);
	if (rc) {	/* keep what was embedded, and the first error */
		flush(m, NULL);
		return -1;
	}
	file_summaries_finish(m);
	return flush(m, e);
}

/* ---- the child ---- */

static int read_index(struct vector_builder *m, struct err *e)
{
	if (store_read_info(m->db, &m->info, e))
		return -1;
	if (vector_builder_read_docs(m, e))
		return -1;
	return file_summaries_load(m, e);
}

static int open_index(struct vector_builder *m, struct err *e)
{
	if (store_current(m->dir, &m->info, e))
		return -1;
	m->db = store_open(m->dir, m->info.file, e);
	if (!m->db || db_read_begin(m->db, e))
		return -1;
	int rc = read_index(m, e);
	db_read_end(m->db);
	if (!rc)	/* not within the transaction: it would hold on to SQLite's log */
		file_summaries_add_commits(m);
	return rc;
}

/*
 * Writes the file anew if most of its rows are dead, or if short runs left too many segments. The
 * new rows can be found already.
 */
static int tidy(struct vector_builder *m, struct err *e)
{
	if (m->dead <= m->rows / 2 && !vectors_is_scattered(m->rows, m->segments))
		return 0;
	vectors_writer_close(m->w);
	m->w = NULL;
	struct vectors *old = vectors_open(m->dir, NULL, e);
	int rc = -1;
	if (old)
		rc = rewrite(m, old, true, e);
	vectors_close(old);
	return rc;
}

/* The child parses nothing, and may reach only the embedder and, for a copy, other shards. */
static int enter_sandbox(
    const struct vector_builder *m, const struct repo_source *src, struct err *e)
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

static size_t batch_size(const struct options *o, bool http)
{
	if (!http)
		return BATCH;
	if (o->embed_batch > 0)
		return (size_t)o->embed_batch;
	return HTTP_BATCH;
}

static int prepare(struct vector_builder *m, const struct repo_source *src, struct err *e)
{
	m->repo = repo_open(src->place, e);
	if (!m->repo)
		return -1;
	if (enter_sandbox(m, src, e))
		return -1;
	return open_index(m, e);
}

static int make_all(struct vector_builder *m, const struct repo_source *src, struct err *e)
{
	int64_t started = clock_ms();

	if (prepare(m, src, e))
		return -1;
	vectors_settings(m->o, m->embedder, m->settings);
	m->http = !strcmp(m->o->embedder, "http");
	m->want = batch_size(m->o, m->http);
	m->flushed_ms = started;
	if (reuse_old_file(m, src, e))
		return -1;
	ingest_report("vectors %zu %zu", m->done, m->total);
	int rc = make_missing(m, e);
	if (!rc)
		rc = tidy(m, e);
	log_info("vectors.done",
	    "repo=%s index=%s generation=%lld documents=%zu have=%zu embedded=%zu told=%zu"
	    " embedder=%s ms=%lld",
	    log_quote(src->name), m->info.file, (long long)m->info.generation, m->total, m->done,
	    m->made, m->made_files, log_quote(embedder_fingerprint(m->embedder)),
	    (long long)(clock_ms() - started));
	return rc;
}

static int run(struct vector_builder *m, struct arena *a, struct err *e)
{
	struct repo_source src;

	if (repo_source_resolve(&src, m->o, a, e))
		return -1;
	m->dir = src.data;
	m->embedder = vectors_embedder(m->o, e);
	if (!m->embedder)
		return -1;
	return make_all(m, &src, e);
}

static void free_all(struct vector_builder *m)
{
	vectors_writer_close(m->w);
	db_close(m->db);
	repo_close(m->repo);
	embedder_free(m->embedder);
	commit_subjects_free(m->commit_subjects);
	test_names_free(m->test_names);
	arena_free(m->summary_arena);
	free(m->docs);
	free(m->files);
	free(m->batch);
	arena_free(m->a);
}

int vector_builder_run(const struct options *o, struct err *e)
{
	struct arena *a = arena_new();
	struct vector_builder m = { .o = o, .a = arena_new() };

	ingest_set_limits(o);
	errno = 0;
	if (nice(10) < 0 && errno)
		log_debug("vectors.nice_failed", "error=%s", strerror(errno));
	if (!strcmp(o->embedder, "builtin"))
		ingest_acquire_slot(o);
	int rc = run(&m, a, e);
	if (rc)
		ingest_report("error %s %s", err_name(e->code), e->msg);
	else
		ingest_report(m.made || m.made_files ? "published" : "unchanged");
	free_all(&m);
	arena_free(a);
	return rc != 0;
}
