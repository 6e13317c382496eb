#include "shard/trigrams/text_build.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/pattern/grams.h"
#include "shard/git/repo.h"
#include "shard/trigrams/text_segment.h"

enum { THREADS_MAX = 16, AHEAD = 2 }; /* segments per thread that wait to be written */

/* Some entries of the tree, and the segment that a thread makes of them. */
struct text_batch {
	size_t from, to;
	struct text_segment made;
	bool done;
};

struct text_build {
	struct db *db;
	const char *place;
	struct text_limits limits;
	struct tree_entries tree;
	struct text_batch *v;
	size_t n, cap;
	int threads;
	pthread_mutex_t lock; /* guards what follows, and `done` */
	pthread_cond_t made, room;
	size_t next, written; /* batches that threads took, that are written */
	bool stop;
	struct err e; /* of a thread */
};

/* ---- batches ---- */

static uint64_t text_bytes(const struct text_build *b, const struct tree_entry *x)
{
	if (x->is != ENTRY_FILE || x->size > b->limits.bytes_max)
		return 0;
	return x->size;
}

static void cut_batches(struct text_build *b)
{
	for (size_t i = 0, end; i < b->tree.n; i = end) {
		uint64_t bytes = 0;
		for (end = i; end < b->tree.n && end - i < SEGMENT_TEXTS; end++) {
			uint64_t more = text_bytes(b, &b->tree.v[end]);
			if (end > i && bytes + more > SEGMENT_BYTES)
				break;
			bytes += more;
		}
		b->v = grow(b->v, &b->cap, b->n + 1, sizeof *b->v);
		b->v[b->n++] = (struct text_batch){ .from = i, .to = end };
	}
}

/* ---- threads ---- */

/* The next batch to make, once the writer is near; -1 at the end. */
static ssize_t take(struct text_build *b)
{
	ssize_t i = -1;

	pthread_mutex_lock(&b->lock);
	while (!b->stop && b->next < b->n && b->next - b->written >= (size_t)b->threads * AHEAD)
		pthread_cond_wait(&b->room, &b->lock);
	if (!b->stop && b->next < b->n)
		i = (ssize_t)b->next++;
	pthread_mutex_unlock(&b->lock);
	return i;
}

static void make(
    struct text_build *b, struct text_batch *x, struct repo *repo, struct gram_collector *grams)
{
	struct text_segment s = { 0 };

	for (size_t i = x->from; i < x->to; i++)
		text_segment_add(&s, repo, &b->tree.v[i], b->limits.bytes_max, grams);
	pthread_mutex_lock(&b->lock);
	x->made = s;
	x->done = true;
	pthread_cond_signal(&b->made);
	pthread_mutex_unlock(&b->lock);
}

static void fail(struct text_build *b, const struct err *e)
{
	pthread_mutex_lock(&b->lock);
	b->e = *e;
	b->stop = true;
	pthread_cond_signal(&b->made);
	pthread_mutex_unlock(&b->lock);
}

static void *make_segments(void *arg)
{
	struct text_build *b = arg;
	struct err e = { 0 };
	struct repo *repo = repo_open(b->place, &e);
	struct gram_collector *grams = gram_collector_new();
	ssize_t i;

	if (!repo)
		fail(b, &e);
	while (repo && (i = take(b)) >= 0)
		make(b, &b->v[i], repo, grams);
	gram_collector_free(grams);
	repo_close(repo);
	return NULL;
}

/* ---- the writer ---- */

static int wait_made(struct text_build *b, struct text_batch *x, struct err *e)
{
	int rc = 0;

	pthread_mutex_lock(&b->lock);
	while (!x->done && !b->stop)
		pthread_cond_wait(&b->made, &b->lock);
	if (!x->done) {
		*e = b->e;
		rc = -1;
	}
	b->written++;
	pthread_cond_broadcast(&b->room);
	pthread_mutex_unlock(&b->lock);
	return rc;
}

static int write_all(struct text_build *b, struct err *e)
{
	int64_t next = 1;
	int rc = 0;

	for (size_t i = 0; !rc && i < b->n; i++) {
		struct text_batch *x = &b->v[i];
		int64_t first = next;
		rc = wait_made(b, x, e);
		if (!rc)
			rc = text_segment_write(&x->made, b->db, &next, e);
		if (!rc)
			rc = text_segment_write_lists(&x->made, b->db, first, e);
		text_segment_free(&x->made);
	}
	return rc;
}

static int run_threads(struct text_build *b, struct err *e)
{
	pthread_t threads[THREADS_MAX];

	for (int i = 0; i < b->threads; i++)
		if (pthread_create(&threads[i], NULL, make_segments, b))
			die("cannot start a thread");
	int rc = write_all(b, e);
	pthread_mutex_lock(&b->lock);
	b->stop = true;
	pthread_cond_broadcast(&b->room);
	pthread_mutex_unlock(&b->lock);
	for (int i = 0; i < b->threads; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < b->n; i++)
		text_segment_free(&b->v[i].made);
	return rc;
}

int text_build_run(struct db *db, struct repo *repo, const char *place, const char *commit,
    const struct text_limits *limits, struct err *e)
{
	struct text_build b = { .db = db,
		.place = place,
		.limits = *limits,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.made = PTHREAD_COND_INITIALIZER,
		.room = PTHREAD_COND_INITIALIZER };
	struct arena *a = arena_new();
	int rc = repo_tree(repo, commit, a, &b.tree, e);

	if (!rc) {
		cut_batches(&b);
		b.threads = (int)MIN(
		    MIN((size_t)MAX(limits->threads, 1), (size_t)THREADS_MAX), MAX(b.n, 1));
		rc = run_threads(&b, e);
	}
	free(b.v);
	free(b.tree.v);
	arena_free(a);
	return rc;
}
