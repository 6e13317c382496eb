#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "shard/base/options.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/contracts/crossfile/tree_cache.h"
#include "shard/git/repo.h"
#include "shard/index/index_writer.h"
#include "shard/index/scip_sources.h"
#include "shard/ingest/ingest_internal.h"
#include "shard/ingest/ingest_plan.h"
#include "shard/parse/parser.h"

/* The whole index of a commit: files are parsed by some threads and written by this one, in order of path. */

/*
 * A file that takes long holds up the writer, not the other parsers: they go on for WINDOW files or AHEAD bytes of source,
 * whichever comes first, but for FEW files in any case.
 */
enum { WINDOW = 2048, FEW = 64, AHEAD = 8 << 20, STACK = 16 << 20, MOST_THREADS = 16, SPARE = 8 };

struct whole {
	struct ingest *in;
	struct plan plan;
	struct arena *keep;	/* until the index is written */
	int threads;
	pthread_mutex_t lock;	/* guards what follows */
	pthread_cond_t parsed, room;
	size_t next, written;	/* files taken by parsers, files taken by the writer */
	size_t ahead;		/* bytes of those between */
	struct parsed *window;	/* WINDOW of them */
	struct arena *spare[SPARE];	/* of files that are written: memory that need not be asked for again */
	size_t nspare;
	struct held *held;	/* trees that join will ask for */
	struct parser *parser[MOST_THREADS];	/* of the threads that have ended: join goes on with them */
	bool stop;
	struct err e;		/* of a parser thread */
};

/* ---- parsers ---- */

struct parser_thread {
	struct whole *in;
	int slot;
	pthread_t id;
	struct parser *parser;	/* facts may point into it: it lives until all is written */
};

static bool has_room(const struct whole *in)
{
	size_t files = in->next - in->written;

	return files < FEW || (files < WINDOW && in->ahead < AHEAD);
}

/* The next file to parse, once the writer has room for it; -1 at the end. */
static ssize_t take(struct whole *in)
{
	ssize_t i = -1;

	pthread_mutex_lock(&in->lock);
	while (!in->stop && in->next < in->plan.n && !has_room(in))
		pthread_cond_wait(&in->room, &in->lock);
	if (!in->stop && in->next < in->plan.n) {
		in->ahead += in->plan.v[in->next].file.size;
		i = (ssize_t)in->next++;
	}
	pthread_mutex_unlock(&in->lock);
	return i;
}

static struct arena *arena_take(struct whole *in)
{
	struct arena *a = NULL;

	pthread_mutex_lock(&in->lock);
	if (in->nspare)
		a = in->spare[--in->nspare];
	pthread_mutex_unlock(&in->lock);
	return a ? a : arena_new();
}

static void arena_give(struct whole *in, struct arena *a)
{
	if (!a)
		return;
	arena_reset(a);
	pthread_mutex_lock(&in->lock);
	if (in->nspare < SPARE) {
		in->spare[in->nspare++] = a;
		a = NULL;
	}
	pthread_mutex_unlock(&in->lock);
	arena_free(a);
}

static void give(struct whole *in, size_t i, const struct parsed *p)
{
	pthread_mutex_lock(&in->lock);
	in->window[i % WINDOW] = *p;
	pthread_cond_signal(&in->parsed);
	pthread_mutex_unlock(&in->lock);
}

static void *parse_files(void *arg)
{
	struct parser_thread *t = arg;
	struct whole *in = t->in;
	struct err e = { 0 };
	struct repo *repo = repo_open(in->in->src.place, &e);

	t->parser = repo ? parser_new(&e) : NULL;
	for (ssize_t i; t->parser && (i = take(in)) >= 0;) {
		struct parsed out = { .done = true, .a = arena_take(in) };
		size_t size = in->plan.v[i].file.size;
		bool hold = !in->plan.v[i].file.test && held_reserve(in->held, size);
		ingest_parse(in->in, t->slot, &in->plan.v[i], repo, t->parser, hold, &out);
		if (hold && !out.kept.ts)
			held_release(in->held, size);
		give(in, (size_t)i, &out);
	}
	if (!t->parser) {
		pthread_mutex_lock(&in->lock);
		in->e = e;
		in->stop = true;
		pthread_cond_signal(&in->parsed);
		pthread_mutex_unlock(&in->lock);
	}
	repo_close(repo);
	return NULL;
}

/* ---- the writer ---- */

static int wait_parsed(struct whole *in, size_t i, struct parsed *out, struct err *e)
{
	struct parsed *w = &in->window[i % WINDOW];
	int rc = 0;

	pthread_mutex_lock(&in->lock);
	while (!w->done && !in->stop)
		pthread_cond_wait(&in->parsed, &in->lock);
	if (w->done) {
		*out = *w;
		*w = (struct parsed){ 0 };
		in->written = i + 1;
		in->ahead -= in->plan.v[i].file.size;
		pthread_cond_broadcast(&in->room);
	} else {
		*e = in->e;
		rc = -1;
	}
	pthread_mutex_unlock(&in->lock);
	return rc;
}

static int put(struct whole *in, struct build *b, size_t i, struct parsed *p, struct err *e)
{
	struct planned *plan = &in->plan.v[i];

	if (ingest_remark(p))
		plan_skip(&in->plan, arena_str(in->keep, ingest_remark(p)), plan->file.path, plan->file.size);
	if (p->skip)
		return 0;
	plan->file.language = p->language;
	return build_put(b, &plan->file, &p->facts, e);
}

/* Done with a file: its tree stays for join, or its memory is for the next ones. */
static void leave(struct whole *in, size_t i, struct parsed *p)
{
	if (p->kept.ts) {
		held_put(in->held, in->plan.v[i].file.path, &(struct held_file){ p->a, p->text, p->kept });
		return;
	}
	arena_give(in, p->a);
	buf_free(&p->text);
}

static int write_files(struct whole *in, struct build *b, struct err *e)
{
	unsigned long long bytes = 0, total = 0;
	int64_t told = 0;
	int rc = 0;

	for (size_t i = 0; i < in->plan.n; i++)
		total += in->plan.v[i].file.size;
	for (size_t i = 0; !rc && i < in->plan.n; i++) {
		struct parsed p;
		bytes += in->plan.v[i].file.size;
		if (wait_parsed(in, i, &p, e))
			return -1;
		rc = put(in, b, i, &p, e);
		leave(in, i, &p);
		if (clock_ms() - told >= 100) {
			ingest_tell("parse %zu %zu %llu %llu", i + 1, in->plan.n, bytes, total);
			told = clock_ms();
		}
	}
	return rc;
}

static int write_skips(struct whole *in, struct build *b, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < in->plan.nskipped; i++) {
		const struct skipped *s = &in->plan.skipped[i];
		rc = build_skip(b, s->path, s->reason, s->size, e);
	}
	for (size_t i = 0; !rc && i < in->plan.nrules; i++)
		rc = build_rule(b, in->plan.rules[i].path, in->plan.rules[i].blob, e);
	for (size_t i = 0; !rc && i < in->plan.nscips; i++)
		rc = build_scip(b, in->plan.scips[i].path, in->plan.scips[i].blob, e);
	return rc;
}

static int parse_and_write(struct whole *in, struct build *b, struct err *e)
{
	struct parser_thread threads[MOST_THREADS];
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (int i = 0; i < in->threads; i++) {
		threads[i] = (struct parser_thread){ .in = in, .slot = i };
		if (pthread_create(&threads[i].id, &attr, parse_files, &threads[i]))
			abort();
	}
	pthread_attr_destroy(&attr);
	int rc = write_files(in, b, e);
	pthread_mutex_lock(&in->lock);
	in->stop = true;
	pthread_cond_broadcast(&in->room);
	pthread_mutex_unlock(&in->lock);
	for (int i = 0; i < in->threads; i++) {
		pthread_join(threads[i].id, NULL);
		in->parser[i] = threads[i].parser;
	}
	while (in->nspare)
		arena_free(in->spare[--in->nspare]);
	for (int i = 0; i < WINDOW; i++) {
		kept_free(&in->window[i].kept);
		arena_free(in->window[i].a);
		buf_free(&in->window[i].text);
	}
	return rc ? rc : write_skips(in, b, e);
}

int whole_index(struct ingest *in, struct repo *repo, struct index_info *info, struct arena *a, struct err *e)
{
	struct whole w = { .in = in, .keep = a, .lock = PTHREAD_MUTEX_INITIALIZER, .parsed = PTHREAD_COND_INITIALIZER,
		.room = PTHREAD_COND_INITIALIZER };
	int64_t threads = in->o->ingest_threads, started = clock_ms();

	w.threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : (int)threads;
	if (plan_make(&w.plan, repo, info->commit, (uint64_t)in->o->file_limit, &in->bad, a, e))
		return -1;
	if (!(w.window = calloc(WINDOW, sizeof *w.window)))
		abort();
	w.held = held_new();
	struct build *b = build_new(in->src.data, info, e);
	int rc = b ? build_name(b, source_service(&in->src, a), e) : -1;
	rc = rc ? rc : parse_and_write(&w, b, e);
	if (!rc) {
		ingest_tell("publish %zu %zu", w.plan.n, w.plan.n);
		info->ingest_ms = clock_ms() - started;
		rc = build_publish(b, info, &(struct texts){ ingest_text, repo, w.parser, (size_t)w.threads, w.held },
		    &(struct scips){ repo, in->o->scip }, w.threads, e);
	}
	held_free(w.held);
	for (int i = 0; i < w.threads; i++)
		parser_free(w.parser[i]);
	build_free(b);
	plan_free(&w.plan);
	free(w.window);
	return rc;
}
