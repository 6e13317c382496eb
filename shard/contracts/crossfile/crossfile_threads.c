#include "shard/contracts/crossfile/crossfile_internal.h"

#include <pthread.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "shard/contracts/file_routes.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/file_dependencies.h"

/*
 * Several threads read the files, a few neighbours at a time, because these read the same others.
 * The results are written when all threads are done, in order of path.
 */

enum { STACK = 16 << 20, NEIGHBOURS = 4 };
enum { MOST_TEXT = 3 << 20 }; /* of all threads; a tree takes some 20 times as much */

/* ---- the outcome of one file ---- */

/* A fact, or a mount of an object of another file. */
struct outcome_row {
	int64_t file, at;	/* of a fact its file and line; `at`: byte of what says so */
	int64_t joined;		/* of a fact */
	/*
	 * in outcome.bytes: the packed fact; the object's name and the framework's, each with its NUL
	 */
	size_t from, n;
};

struct outcome {
	struct outcome_row *v;
	size_t n, cap;
	struct buf bytes;
	struct buf keys;	/* int32_t: what the file asked for */
	struct buf children;	/* int32_t: keys of the objects */
};

static struct outcome_row *row_add(struct outcome *o)
{
	o->v = grow(o->v, &o->cap, o->n + 1, sizeof *o->v);
	o->v[o->n] = (struct outcome_row){ .from = o->bytes.n };
	return &o->v[o->n++];
}

static void outcome_free(struct outcome *o)
{
	free(o->v);
	buf_free(&o->bytes);
	buf_free(&o->keys);
	buf_free(&o->children);
}

/* ---- one file ---- */

/* Values that may be followed for a file: one with hundreds of mounted routes needs 400,000. */
enum { MOST_FILE_STEPS = 1200000 };

const char *crossfile_frameworks_given(struct db *db, int64_t file, struct arena *a, struct err *e)
{
	struct stored_edges edges;
	struct buf b = { 0 };
	int64_t seen[64];
	size_t n = 0;

	if (edges_read(db, file, a, &edges, e))
		return NULL;
	for (size_t i = 0; i < edges.n && n < LEN(seen); i++) {
		int64_t target = edges.v[i].target_file;
		bool again = target == file;
		for (size_t k = 0; k < n; k++)
			again |= seen[k] == target;
		if (again)
			continue;
		seen[n++] = target;
		struct stmt *s = db_prep(
		    db, "select makes from open where file = ? and makes is not null", e);
		if (s && !db_bind(s, "i", target))
			while (db_step(s, e) == 1)
				buf_str(&b, db_str(s, 0));
	}
	const char *out = NULL;
	if (b.n)
		out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

static const char *given(struct crossfile *j, const struct source_file *f)
{
	crossfile_lock(j);
	const char *s = crossfile_frameworks_given(j->db, f->id, j->look.a, j->e);
	crossfile_unlock(j);
	return s;
}

/* Read the next file, on whose behalf others are asked; NULL: it cannot be read. */
static struct contract_file *read_owner(struct crossfile *j, struct source_file *f)
{
	static const struct facts none;

	j->look.a = arena_new();
	j->head.a = j->look.a;
	memset(j->calls, 0, sizeof j->calls);
	j->derived = NULL;
	j->head.steps = MOST_FILE_STEPS;
	j->owners++;
	resolver_begin(&j->look, f, &none);
	struct contract_file *r = other_files_read(j, f);
	if (r) {
		resolver_begin(&j->look, f, r->facts);
		resolver_record_key(&j->look, key_hash("b:", f->path, NULL));
	}
	return r;
}

static void end_owner(struct crossfile *j, struct outcome *out)
{
	for (size_t i = 0; i < j->look.keys.size; i++)
		if (j->look.keys.v[i])
			buf_put(&out->keys, &j->look.keys.v[i], sizeof(int32_t));
	arena_free(j->look.a);
	j->look.a = NULL;
	crossfile_evict(j);
}

struct mount_collector {
	struct crossfile *j;
	struct outcome *out;
};

static void put_link(
    void *arg, const char *framework, const struct framework_object *x, uint32_t at)
{
	struct mount_collector *l = arg;
	struct outcome *out = l->out;
	struct arena *a = l->j->look.a;
	const char *child = "", *of = "";

	if (x && x->in) {
		child = crossfile_object_key(x, a);
		of = x->in->file->path;
	} else if (x) {
		child = arena_printf(a, "=%s", x->name);
		of = child;
	}
	uint32_t key = key_hash("w:", of, NULL);
	struct outcome_row *r = row_add(out);

	r->at = (int64_t)at;
	buf_put(&out->bytes, child, strlen(child) + 1);
	buf_put(&out->bytes, framework, strlen(framework) + 1);
	buf_put(&out->children, &key, sizeof key);
}

/* The mounts of objects of other files. */
static void collect_mounts(struct crossfile *j, struct source_file *f, struct outcome *out)
{
	struct mount_collector l = { .j = j, .out = out };
	struct contract_file *r = read_owner(j, f);

	if (r)
		contracts_find_links(r, j, given(j, f), put_link, &l);
	end_owner(j, out);
}

static void put_fact(
    struct crossfile *j, const struct source_file *owner, struct fact *f, struct outcome *out)
{
	struct source_file *at = NULL;

	if (f->file)
		at = crossfile_file_by_path(j, f->file);
	if (!at || at->test)
		return;
	for (size_t i = 0; i < f->steps.n; i++)
		if (!f->steps.v[i].file)
			f->steps.v[i].file = owner->path;
	struct outcome_row *r = row_add(out);
	codec_put(&rec_fact, f, &out->bytes);
	r->file = at->id;
	r->at = (int64_t)f->line;
	r->joined = fact_joined(f, 2);
	r->n = out->bytes.n - r->from;
}

static bool is_generated(struct crossfile *j, const struct source_file *f)
{
	bool generated = false;

	crossfile_lock(j);
	struct stmt *s = db_prep(j->db, "select generated from files where id = ?", j->e);
	if (s && !db_bind(s, "i", f->id))
		while (db_step(s, j->e) == 1)
			generated = db_int(s, 0) != 0;
	crossfile_unlock(j);
	return generated;
}

static void collect_facts(struct crossfile *j, struct source_file *f, struct outcome *out)
{
	struct fact_list l = { 0 };
	struct contract_file *r = read_owner(j, f);

	if (r && !f->test)
		contracts_find_crossfile(r, j, given(j, f), &l);
	l.n = file_routes(l.v, l.n, f->path, j->look.a);
	bool generated = l.n && is_generated(j, f);
	for (size_t i = 0; generated && i < l.n; i++)
		l.v[i].scope = SCOPE_GENERATED;
	for (size_t i = 0; i < l.n; i++)
		put_fact(j, f, &l.v[i], out);
	for (size_t i = 0; r && i < r->facts->contracts.n; i++) {	/* what is outside the tree */
		struct fact x = r->facts->contracts.v[i];
		x.file = f->path;
		put_fact(j, f, &x, out);
	}
	free(l.v);
	end_owner(j, out);
}

/* ---- all files, by some threads ---- */

struct file_queue {
	struct crossfile_pool *work;
	struct source_file **v;
	struct outcome *out;
	size_t n, next;		/* the next file to process, guarded by the lock */
	void (*ask)(struct crossfile *, struct source_file *, struct outcome *);
};

struct crossfile_thread {
	struct file_queue *share;
	struct crossfile *j;
	pthread_t id;
};

static void *process_queue(void *arg)
{
	struct crossfile_thread *h = arg;
	struct file_queue *s = h->share;

	for (;;) {
		pthread_mutex_lock(&s->work->lock);
		size_t from = s->next, to = MIN(from + NEIGHBOURS, s->n);
		s->next = to;
		pthread_mutex_unlock(&s->work->lock);
		if (from == to)
			return NULL;
		for (size_t i = from; i < to && !h->j->e->code; i++)
			s->ask(h->j, s->v[i], &s->out[i]);
	}
}

static int process_all(struct crossfile_pool *w, struct file_queue *s, struct err *e)
{
	struct crossfile_thread h[CROSSFILE_THREADS];
	pthread_attr_t attr;
	int rc = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (int i = 0; i < w->n; i++) {
		h[i] = (struct crossfile_thread){ .share = s, .j = &w->join[i] };
		if (w->n > 1 && pthread_create(&h[i].id, &attr, process_queue, &h[i]))
			die("cannot start a thread");
	}
	pthread_attr_destroy(&attr);
	if (w->n == 1)
		process_queue(&h[0]);
	for (int i = 0; i < w->n; i++) {
		if (w->n > 1)
			pthread_join(h[i].id, NULL);
		if (!rc && w->e[i].code) {
			*e = w->e[i];
			rc = -1;
		}
	}
	return rc;
}

static int write_links(struct db *db, const struct source_file *f, struct outcome *o, struct err *e)
{
	int rc = db_run(db, e, "delete from mounts where file = ?", "i", f->id);

	for (size_t i = 0; !rc && i < o->n; i++) {
		const char *child = o->bytes.p + o->v[i].from;
		rc = db_run(db, e, "insert into mounts values (?, ?, ?, ?)", "SSii", child,
		    child + strlen(child) + 1, f->id, o->v[i].at);
	}
	if (rc)
		return rc;
	return dependencies_put(db, DEPENDENCY_CONTRACTS, f->id, (int32_t *)(void *)o->keys.p,
	    o->keys.n / sizeof(int32_t), e);
}

/* Replace the facts of a file. */
static int write_facts(struct db *db, const struct source_file *f, struct outcome *o, struct err *e)
{
	int rc = db_run(db, e, "delete from contracts where owner = ? and joined <> 1", "i", f->id);

	for (size_t i = 0; !rc && i < o->n; i++)
		rc = db_run(db, e,
		    "insert into contracts(file, owner, line, fact, joined) values (?, ?, ?, ?, ?)",
		    "iiibi", o->v[i].file, f->id, o->v[i].at, o->bytes.p + o->v[i].from, o->v[i].n,
		    o->v[i].joined);
	if (rc)
		return rc;
	return dependencies_add(db, DEPENDENCY_CONTRACTS, f->id, (int32_t *)(void *)o->keys.p,
	    o->keys.n / sizeof(int32_t), e);
}

static int run(struct crossfile_pool *w, struct source_file **v, size_t n,
    void (*ask)(struct crossfile *, struct source_file *, struct outcome *),
    int (*put)(struct db *, const struct source_file *, struct outcome *, struct err *),
    struct buf *children, struct err *e)
{
	struct file_queue s = {
		.work = w, .v = v, .n = n, .out = xcalloc(n + 1, sizeof *s.out), .ask = ask
	};
	int rc = 0;

	if (n)
		rc = process_all(w, &s, e);
	for (size_t i = 0; i < n; i++) {
		if (!rc)
			rc = put(w->db, v[i], &s.out[i], e);
		if (children && s.out[i].children.n)
			buf_put(children, s.out[i].children.p, s.out[i].children.n);
		outcome_free(&s.out[i]);
	}
	free(s.out);
	return rc;
}

int crossfile_update_mounts(
    struct crossfile_pool *w, struct source_file **v, size_t n, struct buf *children, struct err *e)
{
	return run(w, v, n, collect_mounts, write_links, children, e);
}

int crossfile_update_facts(
    struct crossfile_pool *w, struct source_file **v, size_t n, struct err *e)
{
	return run(w, v, n, collect_facts, write_facts, NULL, e);
}

static char *binds_read(struct db *db, struct err *e)
{
	struct stmt *s = db_prep(db, "select distinct binds from open where binds is not null", e);
	struct buf b = { 0 };

	while (s && db_step(s, e) == 1)
		buf_str(&b, db_str(s, 0));
	buf_byte(&b, 0);
	return b.p;
}

/* How many threads there are.  `all`: the loaded program; one that loads on demand is for one. */
static int thread_count(const struct program *all, int threads)
{
	if (!all || threads < 1)
		return 1;
	return MIN(threads, CROSSFILE_THREADS);
}

int crossfile_pool_begin(struct crossfile_pool *w, struct db *db, struct program *world,
    int threads, const struct text_source *texts, struct err *e)
{
	int rc = 0;

	*w = (struct crossfile_pool){ .db = db, .lock = PTHREAD_MUTEX_INITIALIZER, .w = world };
	if (!world) {
		w->own = program_open(db, e);
		w->w = w->own;
	}
	w->binds = binds_read(db, e);
	w->n = thread_count(world, threads);
	if (!w->w)
		return -1;
	for (int i = 0; !rc && i < w->n; i++)
		rc = crossfile_begin(&w->join[i], w, texts, (size_t)i, &w->e[i]);
	for (int i = 0; i < w->n; i++) {
		w->join[i].most = (size_t)(MOST_TEXT / w->n);
		if (w->e[i].code)
			*e = w->e[i];
	}
	return rc;
}

void crossfile_pool_end(struct crossfile_pool *w)
{
	for (int i = 0; i < w->n; i++)
		crossfile_end(&w->join[i]);
	program_free(w->own);
	free(w->binds);
}
