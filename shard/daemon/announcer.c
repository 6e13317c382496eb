#include "shard/daemon/announcer.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/process/options.h"
#include "proto/record/record.h"
#include "proto/text/repo_uri.h"
#include "proto/wire/wire.h"
#include "shard/daemon/shard.h"

enum {
	RETRY_MIN_MS = 500,
	RETRY_MAX_MS = 5000,
	CALL_TIMEOUT_MS = 3000,
	INTERVAL_MIN_MS = 200,
	INTERVAL_MAX_MS = 300000,
	REDIAL_MS_MIN = 1000
};
/* The intervals are spread like this, so that not all shards dial a coordinator at once. */
enum { DIALS_PER_INTERVAL = 35 };

struct announce_target {
	struct announcer *an;
	const char *shown;		/* its URL, for logs */
	struct wire_peer *peer;
	/* guarded by an->lock */
	bool asking;			/* an announcement is in progress */
	bool known;			/* the last announcement was answered */
	bool news;			/* there are changes since it was sent */
	uint64_t announced_changes;	/* the `changes` that were announced */
	int64_t asked_ms, next_ms, retry;
	int64_t every;			/* the interval that the coordinator asked for last */
	int within;			/* ms in which to redial a lost connection */
};

struct announcer {
	struct shard *shard;
	pthread_mutex_t lock;
	int wake;
	size_t n;
	struct announce_target v[];
};

static void wake(struct announcer *an)
{
	if (write(an->wake, &(uint64_t){ 1 }, sizeof(uint64_t)) < 0) {
		/* the counter is full, so it will be woken anyway */
	}
}

/* The coordinator may have been restarted, and know no shard. */
static void connected(void *arg)
{
	struct announce_target *c = arg;

	pthread_mutex_lock(&c->an->lock);
	c->next_ms = 0;
	pthread_mutex_unlock(&c->an->lock);
	wake(c->an);
}

/* Frees the announcer after its last target could not be dialled. */
static void give_up(struct announcer *an)
{
	for (size_t i = 0; i <= an->n; i++) {
		wire_peer_free(an->v[i].peer);
		free((char *)an->v[i].shown);
	}
	pthread_mutex_destroy(&an->lock);
	free(an);
}

struct announcer *announcer_new(struct shard *s, const struct string_list *urls,
    const struct wire_trust *trust, int wake, struct err *e)
{
	struct announcer *an = xcalloc(1, sizeof *an + urls->n * sizeof *an->v);
	struct arena *a = arena_new();

	*an = (struct announcer){ .shard = s, .wake = wake };
	pthread_mutex_init(&an->lock, NULL);
	for (; an->n < urls->n; an->n++) {
		struct announce_target *c = &an->v[an->n];
		*c = (struct announce_target){
			.an = an,
			.retry = RETRY_MIN_MS,
			.every = INTERVAL_MAX_MS,
			.within = REDIAL_MS_MIN,
			.shown = xstrdup(uri_redact(urls->v[an->n], a)),
		};
		c->peer = wire_dial(urls->v[an->n], trust, e);
		if (!c->peer) {
			err_add(e, "--coordinator");
			arena_free(a);
			give_up(an);
			return NULL;
		}
		wire_set_eager_redial(c->peer, connected, c);
	}
	arena_free(a);
	return an;
}

static void on_failure(struct announce_target *c, const struct err *e)
{
	if (c->known || e->code != ERR_UNAVAILABLE)
		log_warn("announce.failed", "coordinator=%s code=%s message=%s hint=%s",
		    log_quote(c->shown), err_name(e->code), log_quote(e->msg), log_quote(e->hint));
	c->announced_changes = 0;
	c->next_ms = clock_ms() + c->retry;
	c->retry = MIN(RETRY_MAX_MS, c->retry * 2);
}

static void on_success(struct announce_target *c, const struct announce_res *r)
{
	int64_t every = (int64_t)MIN(MAX(r->interval_ms, INTERVAL_MIN_MS), INTERVAL_MAX_MS);

	if (!c->known)
		log_info("announce.done", "coordinator=%s interval_ms=%lld protocol=%llu",
		    log_quote(c->shown), (long long)every, (unsigned long long)r->protocol);
	c->next_ms = c->asked_ms + every;
	c->every = every;
	c->retry = RETRY_MIN_MS;
}

static void answered(void *arg, struct wire_reply *r)
{
	struct announce_target *c = arg;
	struct announcer *an = c->an;
	struct arena *a = arena_new();
	struct announce_res res;
	struct err e = { 0 };
	int rc = wire_reply_get(r, &rec_announce_res, &res, NULL, a, &e);
	bool soon = true;	/* otherwise the main loop comes by itself */

	wire_reply_free(r);
	pthread_mutex_lock(&an->lock);
	int within = c->within;
	if (rc) {
		on_failure(c, &e);
	} else {
		int64_t every = c->every;
		on_success(c, &res);
		soon = c->every < every || c->news;
		/* with few shards redial soon, but at most once a second */
		within = (int)MAX(c->every / DIALS_PER_INTERVAL, REDIAL_MS_MIN);
	}
	c->known = !rc;
	c->asking = false;
	bool changed = within != c->within;
	c->within = within;
	pthread_mutex_unlock(&an->lock);
	if (changed)
		wire_set_redial_spread(c->peer, within);
	arena_free(a);
	if (soon)
		wake(an);
}

/* Whether an announcement is due, which is then marked as sent. */
static bool take_due(struct announce_target *c, uint64_t changes, int64_t now)
{
	bool changed = c->announced_changes != changes;

	c->news = c->asking && changed;
	if (c->asking)
		return false;
	if (now < c->next_ms && !(c->known && changed))
		return false;
	c->asking = true;
	c->asked_ms = now;
	c->announced_changes = changes;
	return true;
}

static void announce(struct announce_target *c)
{
	struct arena *a = arena_new();
	struct hello h;

	shard_hello(c->an->shard, &h, a);
	wire_call_async(c->peer, "announce", &rec_hello, &h, "", CALL_TIMEOUT_MS, false, answered, c);
	arena_free(a);
}

int64_t announcer_tick(struct announcer *an, uint64_t changes)
{
	int64_t now = clock_ms(), next = now + INTERVAL_MAX_MS;

	for (size_t i = 0; i < an->n; i++) {
		struct announce_target *c = &an->v[i];
		pthread_mutex_lock(&an->lock);
		bool due = take_due(c, changes, now);
		int64_t later = c->next_ms;
		if (c->asking)
			later = c->asked_ms + c->every;
		next = MIN(later, next);
		pthread_mutex_unlock(&an->lock);
		if (due)
			announce(c);
	}
	return next;
}
