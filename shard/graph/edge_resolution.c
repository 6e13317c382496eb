#include "shard/graph/edge_resolution.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"
#include "shard/contracts/grpc/grpc.h"
#include "shard/facts/facts_codec.h"
#include "shard/graph/file_edges.h"
#include "shard/graph/graph_hash.h"
#include "shard/program/resolver.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/file_dependencies.h"
#include "shard/storage/symbol_store.h"

/* ---- one file ---- */

/* The state of one thread, reused for each file. */
struct edge_resolver {
	struct name_resolver resolver;		/* its arena is empty between files */
	struct edge_list edges;
	struct { int32_t *v; size_t n, cap; } keys;	/* of the current file */
	const struct graph_node_hashes *names;	/* NULL if edges are not hashed */
};

/* The results for a file, ready to be written. */
struct resolved_file {
	struct packed_edges edges;
	struct buf uses;
	struct buf contracts;	/* struct contract_row and its fact, alternating */
	unsigned char hash[GRAPH_HASH];
};

struct contract_row {
	int64_t line;
	size_t size;
};

static int64_t id_of(const struct source_file *f, uint32_t number)
{
	return symbol_id(f->id, number);
}

static void pack_edges(
    struct edge_resolver *r, const struct source_file *f, struct resolved_file *out)
{
	struct stored_edge *v = arena_many(r->resolver.a, r->edges.n + 1, struct stored_edge);
	const struct file_symbols *u = program_file_symbols(r->resolver.w, r->resolver.file);

	for (size_t i = 0; i < r->edges.n; i++) {
		const struct edge *x = &r->edges.v[i];
		v[i] = (struct stored_edge){
			.kind = x->kind,
			.target_file = x->file->id,
			.confidence = x->confidence,
			.reason = x->reason,
			.line = x->line,
		};
		if (x->source >= 0)
			v[i].source = id_of(f, u->v[x->source].number);
		if (x->target)
			v[i].target = id_of(x->file, x->target->number);
	}
	edges_pack(f->id, v, r->edges.n, &out->edges);
	if (r->names)
		graph_hash_edges(r->names, f->id, v, r->edges.n, out->hash);
}

static void pack_uses(struct edge_resolver *r, struct buf *out)
{
	r->keys.n = 0;
	for (size_t i = 0; i < r->resolver.keys.size; i++)
		if (r->resolver.keys.v[i]) {
			r->keys.v = grow(r->keys.v, &r->keys.cap, r->keys.n + 1, sizeof *r->keys.v);
			r->keys.v[r->keys.n++] = (int32_t)r->resolver.keys.v[i];
		}
	dependencies_pack(r->keys.v, r->keys.n, out);
}

static int by_line(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int c = (x->line > y->line) - (x->line < y->line);

	if (!c)
		c = strcmp(x->path, y->path);
	if (c)
		return c;
	return strcmp(x->side, y->side);
}

/* Contracts that depend on other files. */
static void pack_contracts(struct edge_resolver *r, struct buf *out)
{
	struct fact_list found = { 0 };
	struct buf bytes = { 0 };

	grpc_find(&r->resolver, &found);
	if (found.n)
		qsort(found.v, found.n, sizeof *found.v, by_line);
	for (size_t i = 0; i < found.n; i++) {
		if (i && !by_line(&found.v[i - 1], &found.v[i]))
			continue;
		bytes.n = 0;
		codec_put(&rec_fact, &found.v[i], &bytes);
		struct contract_row row = { (int64_t)found.v[i].line, bytes.n };
		buf_put(out, &row, sizeof row);
		buf_put(out, bytes.p, bytes.n);
	}
	buf_free(&bytes);
	free(found.v);
}

static int resolve_facts(struct edge_resolver *r, struct source_file *f, const struct buf *bytes,
    struct resolved_file *out, struct err *e)
{
	struct facts x = { 0 };

	if (!r->resolver.a)
		r->resolver.a = arena_new();
	int rc = facts_decode(bytes->p, bytes->n, r->resolver.a, &x, e);
	if (!rc) {
		resolver_begin(&r->resolver, f, &x);
		file_edges_find(&r->resolver, &r->edges);
		pack_edges(r, f, out);
		pack_contracts(r, &out->contracts);
		pack_uses(r, &out->uses);
	}
	arena_reset(r->resolver.a);
	return rc;
}

static void edge_resolver_free(struct edge_resolver *r)
{
	resolver_release(&r->resolver);
	arena_free(r->resolver.a);
	free(r->edges.v);
	free(r->keys.v);
}

static void resolved_file_free(struct resolved_file *x)
{
	packed_edges_free(&x->edges);
	buf_free(&x->uses);
	buf_free(&x->contracts);
}

/* The facts of a file; empty if there is nothing to resolve. */
static int read_facts(struct db *db, const struct source_file *f, struct buf *out, struct err *e)
{
	if (!f->dialect)
		return 0;
	struct stmt *s = db_prep(db, "select facts from facts where file = ?", e);
	if (!s || db_bind(s, "i", f->id))
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		size_t n;
		const void *bytes = db_blob(s, 0, &n);
		buf_put(out, bytes, n);
	}
}

static int write_contracts(
    struct db *db, const struct source_file *f, const struct buf *contracts, struct err *e)
{
	struct contract_row row;
	int rc = 0;

	for (size_t at = 0; !rc && at < contracts->n; at += row.size) {
		memcpy(&row, contracts->p + at, sizeof row);
		at += sizeof row;
		rc = db_run(db, e,
		    "insert into contracts(file, owner, line, fact, joined)"
		    " select id, id, ?, ?, 1 from files where id = ? and not generated",
		    "ibi", row.line, contracts->p + at, row.size, f->id);
	}
	return rc;
}

static int write_resolved_file(
    struct db *db, const struct source_file *f, const struct resolved_file *x, struct err *e)
{
	if (edges_put_packed(db, f->id, &x->edges, e))
		return -1;
	if (dependencies_put_packed(db, DEPENDENCY_EDGES, f->id, &x->uses, e))
		return -1;
	return write_contracts(db, f, &x->contracts, e);
}

/* ---- all files: threads resolve; the caller's thread feeds them and writes the results ---- */

/* The window is large enough to keep the threads busy while the writer does other work. */
enum { WINDOW = 256, MAX_QUEUED_BYTES = 16 << 20, STACK = 16 << 20, MAX_THREADS = 16 };

struct resolve_job {
	struct buf facts;
	struct resolved_file found;
	bool done;
};

struct resolve_pool {
	struct db *db;
	struct program *w;
	const struct graph_node_hashes *names;
	const struct background_work *other;
	bool more;			/* `other` has more to do */
	size_t ahead;			/* bytes of facts in the window */
	struct buf incoming;		/* pairs of int64_t: target, file */
	pthread_mutex_t lock;		/* guards the following fields */
	pthread_cond_t queued, found;
	size_t nqueued, nstarted;	/* files that were queued; files that threads have taken */
	struct resolve_job window[WINDOW];
	bool stop;
	struct err e;			/* of a resolving thread */
};

/* The next file to resolve, or NULL at the end. */
static struct source_file *next_job_file(struct resolve_pool *x)
{
	struct source_file *f = NULL;

	pthread_mutex_lock(&x->lock);
	while (!x->stop && x->nstarted == x->nqueued)
		pthread_cond_wait(&x->queued, &x->lock);
	if (!x->stop)
		f = &x->w->files[x->nstarted++];
	pthread_mutex_unlock(&x->lock);
	return f;
}

static void finish_job(struct resolve_pool *x, struct resolve_job *j, int rc, const struct err *e)
{
	pthread_mutex_lock(&x->lock);
	j->done = true;
	if (rc && !x->stop) {
		x->stop = true;
		x->e = *e;
		pthread_cond_broadcast(&x->queued);
	}
	pthread_cond_signal(&x->found);
	pthread_mutex_unlock(&x->lock);
}

static void *resolve_files(void *arg)
{
	struct resolve_pool *x = arg;
	struct edge_resolver r = { .resolver.w = x->w, .names = x->names };
	struct err e = { 0 };

	for (;;) {
		struct source_file *f = next_job_file(x);
		if (!f)
			break;
		struct resolve_job *j = &x->window[f->place % WINDOW];
		int rc = 0;
		if (j->facts.n)
			rc = resolve_facts(&r, f, &j->facts, &j->found, &e);
		if (!j->facts.n && x->names)
			graph_hash_edges(x->names, f->id, NULL, 0, j->found.hash);
		if (rc)
			err_add(&e, "%s", f->path);
		finish_job(x, j, rc, &e);
	}
	edge_resolver_free(&r);
	return NULL;
}

/* Whether the window has room for file `next`, while `writing` is the next file to write. */
static bool has_room(const struct resolve_pool *x, size_t next, size_t writing)
{
	if (next >= writing + WINDOW)
		return false;
	return x->ahead < MAX_QUEUED_BYTES || next == writing;
}

/* Queue files from `*next` on, as far as the window has room. */
static int feed_jobs(struct resolve_pool *x, size_t *next, size_t writing, struct err *e)
{
	size_t from = *next;
	int rc = 0;

	while (!rc && *next < x->w->nfiles && has_room(x, *next, writing)) {
		struct resolve_job *j = &x->window[*next % WINDOW];
		rc = read_facts(x->db, &x->w->files[*next], &j->facts, e);
		x->ahead += j->facts.n;
		++*next;
	}
	if (*next == from)
		return rc;
	pthread_mutex_lock(&x->lock);
	x->nqueued = *next;
	pthread_cond_broadcast(&x->queued);
	pthread_mutex_unlock(&x->lock);
	return rc;
}

/* Do a step of the background work, without the lock. */
static int do_background_work(struct resolve_pool *x, struct err *e)
{
	pthread_mutex_unlock(&x->lock);
	int rc = x->other->step(x->other->arg, e);
	pthread_mutex_lock(&x->lock);
	x->more = rc > 0;
	return rc < 0 ? -1 : 0;
}

static int wait_resolve_job(struct resolve_pool *x, struct resolve_job *j, struct err *e)
{
	int rc = 0;

	pthread_mutex_lock(&x->lock);
	while (!rc && !j->done && !x->stop) {
		if (x->more)
			rc = do_background_work(x, e);
		else
			pthread_cond_wait(&x->found, &x->lock);
	}
	if (!rc && x->stop) {
		*e = x->e;
		rc = -1;
	}
	pthread_mutex_unlock(&x->lock);
	return rc;
}

static void job_fini(struct resolve_job *j)
{
	resolved_file_free(&j->found);
	buf_free(&j->facts);
	*j = (struct resolve_job){ 0 };
}

static int write_job(
    struct resolve_pool *x, const struct source_file *f, struct resolve_job *j, struct err *e)
{
	const struct packed_edges *edges = &j->found.edges;
	int rc = 0;

	if (j->facts.n)
		rc = write_resolved_file(x->db, f, &j->found, e);
	if (!rc && x->names)
		rc = graph_hash_put(x->db, f->id, j->found.hash, e);
	for (size_t i = 0; i < edges->ntargets; i++) {
		int64_t pair[] = { edges->targets[i], f->id };
		buf_put(&x->incoming, pair, sizeof pair);
	}
	x->ahead -= j->facts.n;
	job_fini(j);
	return rc;
}

static int write_files(struct resolve_pool *x, struct err *e)
{
	size_t next = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < x->w->nfiles; i++) {
		struct resolve_job *j = &x->window[i % WINDOW];
		if (next <= i + WINDOW / 2)
			rc = feed_jobs(x, &next, i, e);
		if (!rc)
			rc = wait_resolve_job(x, j, e);
		if (!rc)
			rc = write_job(x, &x->w->files[i], j, e);
	}
	return rc;
}

/*
 * Write the rows in order of target, then file: each is appended to the table, none inserted
 * between others.
 */
static int write_incoming(struct resolve_pool *x, struct err *e)
{
	const int64_t (*v)[2] = (const void *)x->incoming.p;
	size_t n = x->incoming.n / sizeof *v;
	int64_t last = 0;
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		last = MAX(v[i][0], last);
	/* where the next file of a target goes */
	size_t *at = xcalloc((size_t)last + 2, sizeof *at);
	int64_t *files = xmalloc((n + 1) * sizeof *files);
	for (size_t i = 0; i < n; i++)
		at[v[i][0] + 1]++;
	for (int64_t t = 0; t < last; t++)
		at[t + 1] += at[t];
	for (size_t i = 0; i < n; i++)
		files[at[v[i][0]]++] = v[i][1];
	for (size_t i = 0, t = 0; !rc && i < n; i++) {
		while (at[t] <= i)
			t++;
		rc = edges_put_incoming(x->db, (int64_t)t, files[i], e);
	}
	free(at);
	free(files);
	return rc;
}

int resolve_all(struct db *db, struct program *w, int threads,
    const struct graph_node_hashes *names, const struct background_work *other, struct err *e)
{
	struct resolve_pool x = {
		.db = db,
		.w = w,
		.names = names,
		.other = other,
		.more = other != NULL,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.queued = PTHREAD_COND_INITIALIZER,
		.found = PTHREAD_COND_INITIALIZER,
	};
	pthread_t ids[MAX_THREADS];
	pthread_attr_t attr;
	int n = MIN(MAX(threads, 1), MAX_THREADS);

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (int i = 0; i < n; i++)
		if (pthread_create(&ids[i], &attr, resolve_files, &x))
			die("cannot start a thread");
	pthread_attr_destroy(&attr);
	int rc = write_files(&x, e);
	pthread_mutex_lock(&x.lock);
	x.stop = true;
	pthread_cond_broadcast(&x.queued);
	pthread_mutex_unlock(&x.lock);
	for (int i = 0; i < n; i++)
		pthread_join(ids[i], NULL);
	for (size_t i = 0; i < WINDOW; i++)
		job_fini(&x.window[i]);
	if (!rc)
		rc = write_incoming(&x, e);
	buf_free(&x.incoming);
	return rc;
}

/* ---- some files ---- */

struct file_id_list {
	int64_t *v;
	size_t n, cap;
};

static void file_id_list_add(struct file_id_list *ids, int64_t id)
{
	ids->v = grow(ids->v, &ids->cap, ids->n + 1, sizeof *ids->v);
	ids->v[ids->n++] = id;
}

static void add_user(void *arg, int64_t file)
{
	file_id_list_add(arg, file);
}

/* The files, and all files that use one of the keys; sorted, without duplicates. */
static int find_affected_files(struct db *db, const int64_t *files, size_t nfiles,
    const int64_t *keys, size_t nkeys, struct file_id_list *out, struct err *e)
{
	int32_t *wanted = xmalloc((nkeys + 1) * sizeof *wanted);
	size_t n = 0;

	for (size_t i = 0; i < nkeys; i++)
		wanted[i] = (int32_t)keys[i];
	for (size_t i = 0; i < nfiles; i++)
		file_id_list_add(out, files[i]);
	int rc = dependencies_find_files(db, DEPENDENCY_EDGES, wanted, nkeys, add_user, out, e);
	free(wanted);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, compare_int64);
	for (size_t i = 0; i < out->n; i++)
		if (!n || out->v[n - 1] != out->v[i])
			out->v[n++] = out->v[i];
	out->n = n;
	return rc;
}

static bool contains(const struct file_id_list *ids, int64_t id)
{
	return ids->n && bsearch(&id, ids->v, ids->n, sizeof id, compare_int64);
}

static int resolve_file(
    struct db *db, struct edge_resolver *r, struct source_file *f, struct err *e)
{
	struct buf facts = { 0 };
	struct resolved_file x = { 0 };
	int rc = read_facts(db, f, &facts, e);

	if (!rc && facts.n) {
		rc = resolve_facts(r, f, &facts, &x, e);
		if (e->code)	/* a lookup failed */
			rc = -1;
		if (!rc)
			rc = write_resolved_file(db, f, &x, e);
	}
	for (size_t i = 0; !rc && i < x.edges.ntargets; i++)
		rc = edges_put_incoming(db, x.edges.targets[i], f->id, e);
	resolved_file_free(&x);
	buf_free(&facts);
	return rc;
}

/* Delete what an earlier resolution of a file wrote, except its uses. */
static int delete_resolved(struct db *db, int64_t file, struct err *e)
{
	if (edges_delete(db, file, e))
		return -1;
	return db_run(db, e, "delete from contracts where file = ? and joined = 1", "i", file);
}

int resolve_affected(struct db *db, const int64_t *files, size_t nfiles, const int64_t *keys,
    size_t nkeys, int (*before)(void *, int64_t file, struct err *), void *arg, int64_t **touched,
    size_t *ntouched, struct err *e)
{
	struct file_id_list ids = { 0 };
	struct edge_resolver r = { .resolver.w = program_open(db, e) };
	struct program *w = r.resolver.w;
	int rc = -1;

	if (w)
		rc = find_affected_files(db, files, nfiles, keys, nkeys, &ids, e);
	for (size_t i = 0; !rc && i < ids.n; i++) {
		if (before && before(arg, ids.v[i], e))
			rc = -1;
		if (!rc)
			rc = delete_resolved(db, ids.v[i], e);
	}
	for (size_t i = 0; !rc && i < w->nfiles; i++)
		if (contains(&ids, w->files[i].id))
			rc = resolve_file(db, &r, &w->files[i], e);
	edge_resolver_free(&r);
	program_free(w);
	*touched = ids.v;
	*ntouched = ids.n;
	return rc;
}
