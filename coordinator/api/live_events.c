#include "coordinator/api/live_events.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/api/http_routes.h"
#include "coordinator/auth/caller.h"
#include "coordinator/auth/tokens.h"
#include "coordinator/base/timers.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/scoped_tables.h"
#include "coordinator/members/members.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/record/json.h"

enum {
	STREAMS_MAX = 128,
	RUNNING_MAX = 200,
	EVENT_MAX = 512 << 10,		/* more is not told but asked for */
	/* between two looks; more where one takes long, so that it is one part in SHARE, */
	PAUSE_US = 1000000,
	IDLE_FACTOR = 30,
	PAUSE_MAX_US = 5000000		/* but never more than this */
};

struct live_events {
	struct coordinator *co;
	pthread_mutex_t lock;
	bool stopping;			/* these two under the lock */
	int n;
};

/* What was last told of a thing. */
struct live_sent {
	uint64_t hash;			/* 0: it is gone */
	unsigned round;
};

/* One stream; of one thread at a time: of the alarm, then of its call. */
struct live_stream {
	struct live_events *live;
	struct exchange *x;
	const struct caller *caller;
	struct limits_permit turn;
	struct arena *a;
	struct map *told;		/* struct live_sent by repo_uri, and by the names of other fields */
	unsigned round;
};

/* ---- the tool ---- */

/* When it was looked at changes all the time, and says nothing new. */
static int live_repo(struct call *c, const struct member *m, struct repo_row *r)
{
	if (view_repo(c, m, r))
		return -1;
	if (r->indexing)
		r->indexing->checked_at = r->indexing->next_run = NULL;
	return 0;
}

static int read_group_tables(struct call *c, struct live_out *out)
{
	out->tables.v = arena_many(c->a, out->groups.n, struct group_tables);
	for (out->tables.n = 0; out->tables.n < out->groups.n; out->tables.n++) {
		struct group_tables *t = &out->tables.v[out->tables.n];
		t->group = out->groups.v[out->tables.n].name;
		if (scoped_tables_stamp(c, &out->groups.v[out->tables.n], &t->version))
			return -1;
	}
	return 0;
}

static int collect_live(struct call *c)
{
	struct live_out *out = c->out;
	struct job_row *none;
	uint64_t n;
	size_t k;
	struct member **v = members_all(c->members, c->caller, c->a, &out->repos.n);

	out->repos.v = arena_many(c->a, out->repos.n, struct repo_row);
	for (size_t i = 0; i < out->repos.n; i++)
		if (live_repo(c, v[i], &out->repos.v[i]))
			return -1;
	if (view_groups(c, &out->groups.v, &out->groups.n) || read_group_tables(c, out) ||
	    view_jobs(c, "running", RUNNING_MAX, &out->running.v, &out->running.n, &n))
		return -1;
	return view_jobs(c, "queued", 0, &none, &k, &out->queued);
}

void tool_live(struct call *c)
{
	collect_live(c);
	call_end(c);
}

/* ---- what is new of it ---- */

static uint64_t hash(const char *p, size_t n)	/* FNV-1a */
{
	uint64_t h = 14695981039346656037u;

	for (; n; n--)
		h = (h ^ (unsigned char)*p++) * 1099511628211u;
	return h ? h : 1;
}

/* Whether the text of a thing is another one than was told. */
static bool is_new(struct live_stream *w, const char *key, const char *text, size_t n)
{
	struct live_sent **at = (struct live_sent **)map_at(w->told, key);
	uint64_t h = hash(text, n);

	if (!*at)
		*at = arena_one(w->a, struct live_sent);
	bool other = (*at)->hash != h;
	(*at)->hash = h;
	(*at)->round = w->round;
	return other;
}

static void field(struct buf *out, const char *name)
{
	buf_printf(out, "%s\"%s\":", out->n > 1 ? "," : "", name);
}

/* The repositories that have changed, as a list under its name; nothing when none has. */
static void put_repos(struct live_stream *w, const struct live_out *now, struct buf *out)
{
	struct buf row = { 0 };
	bool any = false;

	for (size_t i = 0; i < now->repos.n; i++) {
		row.n = 0;
		json_put(&rec_repo_row, &now->repos.v[i], &row);
		if (!is_new(w, now->repos.v[i].repo_uri, row.p, row.n))
			continue;
		if (!any)
			field(out, "repos");
		buf_byte(out, any ? ',' : '[');
		buf_put(out, row.p, row.n);
		any = true;
	}
	if (any)
		buf_byte(out, ']');
	buf_free(&row);
}

/* Those that are not there any more, and not seen: to who asks that is the same. */
static void put_removed(struct live_stream *w, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < map_len(w->told); i++) {
		struct live_sent *t = map_val(w->told, i);
		if (t->round == w->round || !t->hash)
			continue;
		t->hash = 0;
		if (!any)
			field(out, "gone");
		buf_byte(out, any ? ',' : '[');
		json_quote(out, map_key(w->told, i));
		any = true;
	}
	if (any)
		buf_byte(out, ']');
}

/* One of the other fields of `live`, a list of records, whole when anything of it has changed. */
static void put_list(struct live_stream *w, const char *name, const struct record *rec,
    const void *v, size_t n, struct buf *out)
{
	struct buf list = { 0 };

	buf_byte(&list, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_byte(&list, ',');
		json_put(rec, (const char *)v + i * rec->size, &list);
	}
	buf_byte(&list, ']');
	if (is_new(w, name, list.p, list.n)) {
		field(out, name);
		buf_put(out, list.p, list.n);
	}
	buf_free(&list);
}

static void put_queued(struct live_stream *w, const struct live_out *now, struct buf *out)
{
	if (is_new(w, "queued", (const char *)&now->queued, sizeof now->queued)) {
		field(out, "queued");
		buf_printf(out, "%llu", (unsigned long long)now->queued);
	}
}

/*
 * The members of an object, without its end; only "{" when nothing has changed.  At first that is
 * everything.
 */
static void compare(struct live_stream *w, const struct live_out *now, struct buf *out)
{
	w->round++;
	buf_byte(out, '{');
	put_repos(w, now, out);
	put_list(w, "groups", &rec_group_row, now->groups.v, now->groups.n, out);
	put_list(w, "running", &rec_job_row, now->running.v, now->running.n, out);
	put_queued(w, now, out);
	put_list(w, "tables", &rec_group_tables, now->tables.v, now->tables.n, out);
	put_removed(w, out);
}

/* ---- streams ---- */

static void leave(struct live_stream *w)
{
	struct live_events *l = w->live;

	limits_release(l->co->limits, &w->turn);
	pthread_mutex_lock(&l->lock);
	l->n--;
	pthread_mutex_unlock(&l->lock);
	map_free(w->told);
	arena_free(w->a);
}

static void end(struct live_stream *w)
{
	struct exchange *x = w->x;

	leave(w);
	http_end(x);
}

static void on_timer(void *);

/* Look again after a while, a longer one when it took long. */
static void schedule_next(struct live_stream *w, int64_t took_ms)
{
	struct live_events *l = w->live;
	int64_t pause_us = took_ms * 1000 * IDLE_FACTOR;

	if (pause_us < PAUSE_US)
		pause_us = PAUSE_US;
	else if (pause_us > PAUSE_MAX_US)
		pause_us = PAUSE_MAX_US;
	else
		pause_us = pause_us;
	pthread_mutex_lock(&l->lock);
	bool on = !l->stopping;
	if (on)
		timers_add(l->co->timers, clock_us() + pause_us, on_timer, w);
	pthread_mutex_unlock(&l->lock);
	if (!on)
		end(w);
}

/* False: nobody reads it any more.  Without news that is asked by sending nothing. */
static bool send_changes(struct live_stream *w, const struct live_out *now)
{
	struct buf b = { 0 };
	size_t head;

	buf_str(&b, "data: ");
	head = b.n;
	struct buf news = { 0 };
	compare(w, now, &news);
	if (news.n > EVENT_MAX)
		buf_str(&b, "{\"more\":true");
	else
		buf_put(&b, news.p, news.n);
	bool any = b.n > head + 1;
	buf_str(&b, "}\n\n");
	bool read = any ? http_send(w->x, b.p, b.n) : http_send(w->x, "", 0);
	buf_free(&news);
	buf_free(&b);
	return read;
}

static void looked(struct call *c)
{
	struct live_stream *w = c->ctx;
	int64_t took = clock_ms() - c->start_ms;
	bool first = !w->round;
	struct err e = c->e;

	if (first && e.code) {
		struct exchange *x = w->x;
		call_free(c);
		leave(w);
		http_fail(x, 0, &e, NULL);
		return;
	}
	if (first)
		http_stream(w->x, NULL);
	/* Whoever may not ask any more hears nothing more. */
	bool read = !tokens_still_valid(w->live->co->tokens, w->caller) ? false :
	    e.code                                                      ? http_send(w->x, "", 0) :
	                                                                  send_changes(w, c->out);
	call_free(c);
	if (read)
		schedule_next(w, took);
	else
		end(w);
}

static void ask(struct live_stream *w)
{
	call_start(w->live->co, tool_get("live"), w->caller, NULL,
	    &(struct call_client){ .done = looked, .ctx = w, .key = w->x, .via = "api" });
}

static void on_timer(void *arg)
{
	struct live_stream *w = arg;

	pthread_mutex_lock(&w->live->lock);
	bool stopping = w->live->stopping;
	pthread_mutex_unlock(&w->live->lock);
	if (stopping)
		end(w);
	else
		ask(w);
}

static int admit(struct live_events *l, const struct caller *caller, struct limits_permit *turn,
    struct refusal *why, struct err *e)
{
	if (limits_acquire(l->co->limits, caller, LIMITS_STREAM, clock_us(), turn, why, e))
		return -1;
	pthread_mutex_lock(&l->lock);
	bool full = l->stopping || l->n == STREAMS_MAX;
	l->n += !full;
	pthread_mutex_unlock(&l->lock);
	if (!full)
		return 0;
	limits_release(l->co->limits, turn);
	limits_count_refusal(l->co->limits, LIMITS_STREAMS);
	why->retry_ms = PAUSE_US / 1000;
	err_set(e, ERR_RATE_LIMITED, "%d streams of events are open, more are not served", STREAMS_MAX);
	return err_hint(e, "Retry in %d ms.", PAUSE_US / 1000);
}

void live_events_get(struct exchange *x)
{
	struct err e = { 0 };
	struct limits_permit turn = { 0 };
	struct refusal why;
	char retry[48];

	if (admit(x->co->live, x->caller, &turn, &why, &e)) {
		http_retry_after(why.retry_ms, retry, sizeof retry);
		http_fail(x, 0, &e, retry);
		return;
	}
	struct arena *a = arena_new();
	struct live_stream *w = arena_one(a, struct live_stream);
	*w = (struct live_stream){ x->co->live, x, x->caller, turn, a, map_new(), 0 };
	ask(w);
}

struct live_events *live_events_new(struct coordinator *co)
{
	struct live_events *l = xcalloc(1, sizeof *l);

	l->co = co;
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

void live_events_stop(struct live_events *l)
{
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->stopping = true;
	pthread_mutex_unlock(&l->lock);
}

void live_events_free(struct live_events *l)
{
	if (!l)
		return;
	pthread_mutex_destroy(&l->lock);
	free(l);
}
