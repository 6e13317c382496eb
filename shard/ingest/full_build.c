#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "shard/base/options.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/contracts/crossfile/tree_cache.h"
#include "shard/git/repo.h"
#include "shard/index/index_writer.h"
#include "shard/index/scip_sources.h"
#include "shard/ingest/ingest_internal.h"
#include "shard/ingest/ingest_plan.h"
#include "shard/parse/parser.h"
#include "shard/trigrams/text_build.h"

/*
 * The index of a commit from scratch: several threads parse files, and this one writes them in
 * order of path.
 */

/*
 * A file that takes long delays the writer, but not the other parsers: they may be ahead by
 * WINDOW_FILES files or WINDOW_BYTES of source, whichever comes first, and by WINDOW_FILES_MIN
 * files in any case.
 */
enum { WINDOW_FILES = 2048, WINDOW_FILES_MIN = 64, WINDOW_BYTES = 8 << 20 };
enum { STACK = 16 << 20, THREADS_MAX = 16, SPARE_ARENAS = 8 };
enum { REPORT_MS = 100 };

struct full_build {
	struct ingest *in;
	struct plan plan;
	struct arena *keep;	/* until the index is written */
	int threads;
	pthread_mutex_t lock;	/* guards what follows */
	pthread_cond_t parsed, room;
	size_t next, written;	/* files taken by parsers, files taken by the writer */
	size_t ahead;		/* source bytes of the files in between */
	struct parsed_file *window;	/* WINDOW_FILES of them */
	struct arena *spare[SPARE_ARENAS];	/* of written files, for reuse */
	size_t nspare;
	struct tree_cache *tree_cache;	/* trees for contracts across files */
	struct parser *parser[THREADS_MAX];	/* of ended threads, for contracts across files */
	bool stop;
	struct err e;		/* of a parser thread */
};

/* ---- parsers ---- */

struct parser_thread {
	struct full_build *in;
	int slot;
	pthread_t id;
	struct parser *parser;	/* facts may point into it, so it lives until all are written */
};

static bool has_room(const struct full_build *in)
{
	size_t files = in->next - in->written;

	if (files < WINDOW_FILES_MIN)
		return true;
	return files < WINDOW_FILES && in->ahead < WINDOW_BYTES;
}

static bool has_next(const struct full_build *in)
{
	return !in->stop && in->next < in->plan.n;
}

/* The next file to parse, once the writer has room for it; -1 at the end. */
static ssize_t take(struct full_build *in)
{
	ssize_t i = -1;

	pthread_mutex_lock(&in->lock);
	while (has_next(in) && !has_room(in))
		pthread_cond_wait(&in->room, &in->lock);
	if (has_next(in)) {
		in->ahead += in->plan.v[in->next].file.size;
		i = (ssize_t)in->next++;
	}
	pthread_mutex_unlock(&in->lock);
	return i;
}

static struct arena *arena_take(struct full_build *in)
{
	struct arena *a = NULL;

	pthread_mutex_lock(&in->lock);
	if (in->nspare)
		a = in->spare[--in->nspare];
	pthread_mutex_unlock(&in->lock);
	if (a)
		return a;
	return arena_new();
}

static void arena_give(struct full_build *in, struct arena *a)
{
	if (!a)
		return;
	arena_reset(a);
	pthread_mutex_lock(&in->lock);
	if (in->nspare < SPARE_ARENAS) {
		in->spare[in->nspare++] = a;
		a = NULL;
	}
	pthread_mutex_unlock(&in->lock);
	arena_free(a);
}

static void give(struct full_build *in, size_t i, const struct parsed_file *p)
{
	pthread_mutex_lock(&in->lock);
	in->window[i % WINDOW_FILES] = *p;
	pthread_cond_signal(&in->parsed);
	pthread_mutex_unlock(&in->lock);
}

static void parse_one(struct parser_thread *t, struct repo *repo, size_t i)
{
	struct full_build *in = t->in;
	const struct planned_file *p = &in->plan.v[i];
	struct parsed_file out = { .done = true, .a = arena_take(in) };
	bool hold = !p->left_out && !p->file.test && tree_cache_reserve(in->tree_cache, p->file.size);

	ingest_parse(in->in, t->slot, p, repo, t->parser, hold, &out);
	if (hold && !out.retained.ts)
		tree_cache_release(in->tree_cache, p->file.size);
	give(in, i, &out);
}

/* Ends the build with the error of a thread. */
static void stop_build(struct full_build *in, const struct err *e)
{
	pthread_mutex_lock(&in->lock);
	in->e = *e;
	in->stop = true;
	pthread_cond_signal(&in->parsed);
	pthread_mutex_unlock(&in->lock);
}

static void *parse_files(void *arg)
{
	struct parser_thread *t = arg;
	struct full_build *in = t->in;
	struct err e = { 0 };
	struct repo *repo = repo_open(in->in->src.place, &e);

	t->parser = NULL;
	if (repo)
		t->parser = parser_new(&e);
	if (!t->parser)
		stop_build(in, &e);
	while (t->parser) {
		ssize_t i = take(in);
		if (i < 0)
			break;
		parse_one(t, repo, (size_t)i);
	}
	repo_close(repo);
	return NULL;
}

/* ---- the writer ---- */

static int wait_parsed(struct full_build *in, size_t i, struct parsed_file *out, struct err *e)
{
	struct parsed_file *w = &in->window[i % WINDOW_FILES];
	int rc = 0;

	pthread_mutex_lock(&in->lock);
	while (!w->done && !in->stop)
		pthread_cond_wait(&in->parsed, &in->lock);
	if (w->done) {
		*out = *w;
		*w = (struct parsed_file){ 0 };
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

static int put(
    struct full_build *in, struct index_writer *b, size_t i, struct parsed_file *p, struct err *e)
{
	struct planned_file *plan = &in->plan.v[i];
	const char *reason = ingest_skip_reason(p);

	if (reason)
		plan_add_skipped(&in->plan, arena_str(in->keep, reason), plan->file.path, plan->file.size);
	if (p->skip)
		return 0;
	plan->file.language = p->language;
	if (plan->left_out)
		return index_writer_add_left_out(b, &plan->file, &p->facts, e);
	return index_writer_add_file(b, &plan->file, &p->facts, e);
}

/*
 * Ends the work on a file: its tree is retained for contracts across files, or its memory is
 * reused.
 */
static void leave(struct full_build *in, size_t i, struct parsed_file *p)
{
	if (p->retained.ts) {
		tree_cache_put(in->tree_cache, in->plan.v[i].file.path,
		    &(struct cached_tree){ p->a, p->text, p->retained });
		return;
	}
	arena_give(in, p->a);
	buf_free(&p->text);
}

static int write_files(struct full_build *in, struct index_writer *b, struct err *e)
{
	unsigned long long bytes = 0, total = 0;
	int64_t reported = 0;
	int rc = 0;

	for (size_t i = 0; i < in->plan.n; i++)
		total += in->plan.v[i].file.size;
	for (size_t i = 0; !rc && i < in->plan.n; i++) {
		struct parsed_file p;
		bytes += in->plan.v[i].file.size;
		if (wait_parsed(in, i, &p, e))
			return -1;
		rc = put(in, b, i, &p, e);
		leave(in, i, &p);
		if (clock_ms() - reported >= REPORT_MS) {
			ingest_report("parse %zu %zu %llu %llu", i + 1, in->plan.n, bytes, total);
			reported = clock_ms();
		}
	}
	return rc;
}

static int write_skips(struct full_build *in, struct index_writer *b, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < in->plan.nskipped; i++) {
		const struct skipped_file *s = &in->plan.skipped[i];
		rc = index_writer_add_skip(b, s->path, s->reason, s->size, e);
	}
	for (size_t i = 0; !rc && i < in->plan.nrules; i++)
		rc = index_writer_add_rule(b, in->plan.rules[i].path, in->plan.rules[i].blob, e);
	for (size_t i = 0; !rc && i < in->plan.nscips; i++)
		rc = index_writer_add_scip(b, in->plan.scips[i].path, in->plan.scips[i].blob, e);
	return rc;
}

static void start_parsers(struct full_build *in, struct parser_thread *threads)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (int i = 0; i < in->threads; i++) {
		threads[i] = (struct parser_thread){ .in = in, .slot = i };
		if (pthread_create(&threads[i].id, &attr, parse_files, &threads[i]))
			die("cannot start a thread");
	}
	pthread_attr_destroy(&attr);
}

/* Waits for the threads, and takes over their parsers. */
static void end_parsers(struct full_build *in, const struct parser_thread *threads)
{
	pthread_mutex_lock(&in->lock);
	in->stop = true;
	pthread_cond_broadcast(&in->room);
	pthread_mutex_unlock(&in->lock);
	for (int i = 0; i < in->threads; i++) {
		pthread_join(threads[i].id, NULL);
		in->parser[i] = threads[i].parser;
	}
}

static void free_window(struct full_build *in)
{
	while (in->nspare)
		arena_free(in->spare[--in->nspare]);
	for (int i = 0; i < WINDOW_FILES; i++) {
		retained_tree_free(&in->window[i].retained);
		arena_free(in->window[i].a);
		buf_free(&in->window[i].text);
	}
}

static int parse_and_write(struct full_build *in, struct index_writer *b, struct err *e)
{
	struct parser_thread threads[THREADS_MAX];

	start_parsers(in, threads);
	int rc = write_files(in, b, e);
	end_parsers(in, threads);
	free_window(in);
	if (rc)
		return rc;
	return write_skips(in, b, e);
}

static int build(struct full_build *w, struct repo *repo, struct index_info *info,
    struct index_writer *b, int64_t started, struct err *e)
{
	const struct ingest *in = w->in;
	const char *name = repo_source_service_name(&in->src, w->keep);

	if (index_writer_add_repo_name(b, name, e))
		return -1;
	if (parse_and_write(w, b, e))
		return -1;
	const struct text_limits limits = { (uint64_t)in->o->text_limit, w->threads };
	if (text_build_run(index_writer_db(b), repo, in->src.place, info->commit, &limits, e))
		return -1;
	ingest_report("publish %zu %zu", w->plan.n, w->plan.n);
	info->ingest_ms = clock_ms() - started;
	const struct text_source texts = { ingest_read_text, repo, w->parser, (size_t)w->threads,
		w->tree_cache };
	const struct scip_sources scips = { repo, in->o->scip };
	return index_writer_publish(b, info, &texts, &scips, w->threads, e);
}

int full_build_run(
    struct ingest *in, struct repo *repo, struct index_info *info, struct arena *a, struct err *e)
{
	struct full_build w = { .in = in,
		.keep = a,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.parsed = PTHREAD_COND_INITIALIZER,
		.room = PTHREAD_COND_INITIALIZER };
	int64_t threads = in->o->ingest_threads, started = clock_ms();

	w.threads = (int)MIN(MAX(threads, 1), THREADS_MAX);
	if (plan_make(&w.plan, repo, info->commit, (uint64_t)in->o->file_limit, &in->quarantine, a, e))
		return -1;
	w.window = xcalloc(WINDOW_FILES, sizeof *w.window);
	w.tree_cache = tree_cache_new();
	struct index_writer *b = index_writer_new(in->src.data, info, e);
	int rc = -1;
	if (b)
		rc = build(&w, repo, info, b, started, e);
	tree_cache_free(w.tree_cache);
	for (int i = 0; i < w.threads; i++)
		parser_free(w.parser[i]);
	index_writer_free(b);
	plan_free(&w.plan);
	free(w.window);
	return rc;
}
