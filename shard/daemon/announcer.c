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

/* milliseconds */
enum { RETRY_MIN_MS = 500, RETRY_MAX_MS = 5000, CALL_TIMEOUT_MS = 3000, INTERVAL_MIN_MS = 200,
    INTERVAL_MAX_MS = 300000, REDIAL_MS_MIN = 1000 };
/*
 * in the time between two announcements: a coordinator of many shards, which dials those it knows,
 * is not dialled by all at once
 */
enum { DIALS_PER_INTERVAL = 35 };

struct announce_target {
	struct announcer *an;
	const char *shown;		/* its URL, for logs */
	struct wire_peer *peer;
	/* guarded by an->lock */
	bool asking, known;		/* under way; it has answered the last time */
	bool news;			/* since it was asked */
	uint64_t announced_changes;			/* the `changes` it knows of */
	int64_t asked_ms, next_ms, retry;
	int64_t every;			/* between two announcements, as it said last */
	int within;			/* how soon it is dialled when it is lost */
};

struct announcer {
	struct shard *shard;
	pthread_mutex_t lock;
	int wake;
	size_t n;
	struct announce_target v[];
};

/* Who listens there may have been started again, and know nobody. */
static void connected(void *arg)
{
	struct announce_target *c = arg;

	pthread_mutex_lock(&c->an->lock);
	c->next_ms = 0;
	pthread_mutex_unlock(&c->an->lock);
	if (write(c->an->wake, &(uint64_t){ 1 }, sizeof(uint64_t)) < 0) {
		/* full: it will be woken all the same */
	}
}

/* One of its coordinators, the last so far, cannot be dialled. */
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
		*c = (struct announce_target){ .an = an, .retry = RETRY_MIN_MS, .every = INTERVAL_MAX_MS, .within = REDIAL_MS_MIN,
		    .shown = strdup(uri_redact(urls->v[an->n], a)) };
		if (!(c->peer = wire_dial(urls->v[an->n], trust, e))) {
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

static void answered(void *arg, struct wire_reply *r)
{
	struct announce_target *c = arg;
	struct announcer *an = c->an;
	struct arena *a = arena_new();
	struct announce_res res;
	struct err e = { 0 };
	int rc = wire_reply_get(r, &rec_announce_res, &res, NULL, a, &e), within = 0;
	bool soon = true;

	wire_reply_free(r);
	pthread_mutex_lock(&an->lock);
	if (rc) {
		if (c->known || e.code != ERR_UNAVAILABLE)
			log_warn("announce.failed", "coordinator=%s code=%s message=%s hint=%s",
			    log_quote(c->shown), err_name(e.code), log_quote(e.msg), log_quote(e.hint));
		c->announced_changes = 0;
		c->next_ms = clock_ms() + c->retry;
		c->retry = MIN(RETRY_MAX_MS, c->retry * 2);
	} else {
		int64_t every = res.interval_ms < INTERVAL_MIN_MS ? INTERVAL_MIN_MS :
		    res.interval_ms > INTERVAL_MAX_MS             ? INTERVAL_MAX_MS :
		                                                    (int64_t)res.interval_ms;
		if (!c->known)
			log_info("announce.done", "coordinator=%s interval_ms=%lld protocol=%llu",
			    log_quote(c->shown), (long long)every, (unsigned long long)res.protocol);
		c->next_ms = c->asked_ms + every;
		soon = every < c->every || c->news;	/* otherwise the loop comes by itself */
		c->every = every;
		c->retry = RETRY_MIN_MS;
		if (every / DIALS_PER_INTERVAL < REDIAL_MS_MIN)
			within = REDIAL_MS_MIN;
		else
			within = (int)(every / DIALS_PER_INTERVAL);
	}
	c->known = !rc;
	c->asking = false;
	/* a few shards dial as they begin: soon, then once a second */
	bool set = within && within != c->within;
	if (set)
		c->within = within;
	pthread_mutex_unlock(&an->lock);
	if (set)
		wire_set_redial_spread(c->peer, within);
	arena_free(a);
	if (soon && write(an->wake, &(uint64_t){ 1 }, sizeof(uint64_t)) < 0) {
		/* full: it will be woken all the same */
	}
}

int64_t announcer_tick(struct announcer *an, uint64_t changes)
{
	int64_t now = clock_ms(), next = now + INTERVAL_MAX_MS;

	for (size_t i = 0; i < an->n; i++) {
		struct announce_target *c = &an->v[i];
		pthread_mutex_lock(&an->lock);
		c->news = c->asking && c->announced_changes != changes;
		bool due = !c->asking &&
		    (now >= c->next_ms || (c->known && c->announced_changes != changes));
		if (due) {
			c->asking = true;
			c->asked_ms = now;
			c->announced_changes = changes;
		}
		int64_t later = c->asking ? c->asked_ms + c->every : c->next_ms;
		next = MIN(later, next);
		pthread_mutex_unlock(&an->lock);
		if (!due)
			continue;
		struct arena *a = arena_new();
		struct hello h;
		shard_hello(an->shard, &h, a);
		wire_call_async(
		    c->peer, "announce", &rec_hello, &h, "", CALL_TIMEOUT_MS, false, answered, c);
		arena_free(a);
	}
	return next;
}
