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
#include "proto/base/minmax.h"
#include "proto/record/json.h"

enum {
	STREAMS_MAX = 128,
	RUNNING_MAX = 200,
	EVENT_MAX = 512 << 10,		/* bytes; for more the client has to call `live` */
	PAUSE_US = 1000000,		/* between two calls; longer if a call takes long: */
	IDLE_FACTOR = 30,		/* so many times the call, */
	PAUSE_MAX_US = 5000000		/* but at most so long */
};

struct live_events {
	struct coordinator *co;
	pthread_mutex_t lock;
	bool stopping;			/* these two under the lock */
	int n;
};

/* What was last sent about a repository or another field. */
struct live_sent {
	uint64_t hash;			/* 0 = it is gone */
	unsigned round;
};

/* One stream; used by one thread at a time, by the timer's or by that of its call. */
struct live_stream {
	struct live_events *live;
	struct exchange *x;
	const struct caller *caller;
	struct limits_permit turn;
	struct arena *a;
	struct map *sent;		/* struct live_sent by repo_uri, and by the names of other fields */
	unsigned round;
};

/* ---- the tool ---- */

/* Leaves out times that change with every check and carry no news. */
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
	for (size_t i = 0; i < out->groups.n; i++) {
		struct group_tables *t = &out->tables.v[i];
		t->group = out->groups.v[i].name;
		if (scoped_tables_stamp(c, &out->groups.v[i], &t->version))
			return -1;
		out->tables.n = i + 1;
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

/* ---- changes ---- */

static uint64_t hash(const char *p, size_t n)	/* FNV-1a */
{
	uint64_t h = 14695981039346656037u;

	for (; n; n--)
		h = (h ^ (unsigned char)*p++) * 1099511628211u;
	return MAX(h, 1);
}

/* Whether the text for a key differs from what was sent last; notes it as sent. */
static bool is_new(struct live_stream *w, const char *key, const char *text, size_t n)
{
	struct live_sent **at = (struct live_sent **)map_at(w->sent, key);
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

/* Writes the changed repositories as a list; nothing if none has changed. */
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

/* Writes the repositories that no longer exist, or that the caller no longer sees. */
static void put_removed(struct live_stream *w, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < map_len(w->sent); i++) {
		struct live_sent *t = map_val(w->sent, i);
		if (t->round == w->round || !t->hash)
			continue;
		t->hash = 0;
		if (!any)
			field(out, "gone");
		buf_byte(out, any ? ',' : '[');
		json_quote(out, map_key(w->sent, i));
		any = true;
	}
	if (any)
		buf_byte(out, ']');
}

/* Writes another field of `live`, a list of records, completely if anything in it has changed. */
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
 * Writes the changes as a JSON object without its closing brace; only "{" if nothing has changed.
 * The first time, everything counts as changed.
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
	map_free(w->sent);
	arena_free(w->a);
}

static void end(struct live_stream *w)
{
	struct exchange *x = w->x;

	leave(w);
	http_end(x);
}

static void on_timer(void *);

/* Schedules the next call, after a longer pause if the last one took long. */
static void schedule_next(struct live_stream *w, int64_t took_ms)
{
	struct live_events *l = w->live;
	int64_t pause_us = took_ms * 1000 * IDLE_FACTOR;

	pause_us = MAX(pause_us, PAUSE_US);
	pause_us = MIN(pause_us, PAUSE_MAX_US);
	pthread_mutex_lock(&l->lock);
	bool on = !l->stopping;
	if (on)
		timers_add(l->co->timers, clock_us() + pause_us, on_timer, w);
	pthread_mutex_unlock(&l->lock);
	if (!on)
		end(w);
}

/* Whether the client still reads the stream. */
static bool is_read(struct live_stream *w)
{
	return http_send(w->x, "", 0);
}

/* Sends what has changed, if anything.  False if the client no longer reads the stream. */
static bool send_changes(struct live_stream *w, const struct live_out *now)
{
	struct buf b = { 0 }, news = { 0 };
	bool read;

	compare(w, now, &news);
	buf_str(&b, "data: ");
	if (news.n > EVENT_MAX)
		buf_str(&b, "{\"more\":true");
	else
		buf_put(&b, news.p, news.n);
	buf_str(&b, "}\n\n");
	if (news.n > 1)		/* more than "{" */
		read = http_send(w->x, b.p, b.n);
	else
		read = is_read(w);
	buf_free(&news);
	buf_free(&b);
	return read;
}

/* Sends the result of a call to `live`; false if the stream has to end. */
static bool send_result(struct live_stream *w, const struct call *c)
{
	if (!tokens_still_valid(w->live->co->tokens, w->caller))
		return false;
	if (c->e.code)
		return is_read(w);
	return send_changes(w, c->out);
}

static void on_called(struct call *c)
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
	bool read = send_result(w, c);
	call_free(c);
	if (read)
		schedule_next(w, took);
	else
		end(w);
}

static void ask(struct live_stream *w)
{
	call_start(w->live->co, tool_get("live"), w->caller, NULL,
	    &(struct call_client){ .done = on_called, .ctx = w, .key = w->x, .via = "api" });
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
	if (!full)
		l->n++;
	pthread_mutex_unlock(&l->lock);
	if (!full)
		return 0;
	limits_release(l->co->limits, turn);
	limits_count_refusal(l->co->limits, LIMITS_STREAMS);
	why->retry_ms = PAUSE_US / 1000;
	err_set(e, ERR_RATE_LIMITED, "%d streams of events are open, the maximum", STREAMS_MAX);
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
