#include "coordinator/auth/rate_limits.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/base/options.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"

enum {
	BUCKETS = 256,
	CALLERS_MAX = 4096,
	IDLE_US = 600 * 1000000,	/* an idle caller is forgotten after so long */
	SWEEP_US = 60 * 1000000,
	REPORT_US = 1000000,		/* refusals of a caller are logged once in so long */
	BUSY_MS = 500			/* by then one of several calls or streams may have ended */
};

static const char *const labels[] = {
#define LIMIT(why, label, doc) label,
#include "coordinator/auth/rate_limits.def"
};

/* A caller; all unauthenticated clients are one caller. */
struct limits_caller {
	struct limits_caller *next;	/* in its bucket */
	int64_t calls, streams;		/* running calls, open streams */
	int64_t due_us;			/* when its next call would come at the steady rate (GCRA) */
	int64_t seen_us, reported_us;
	uint64_t unreported;
	char name[];
};

struct limits {
	pthread_mutex_t lock;		/* guards everything except `refused` */
	bool local;
	int64_t at_once, streams, per_second;	/* 0 = unlimited */
	/* time between calls at the steady rate; how far a caller may be ahead of it.  0 = unlimited */
	int64_t interval_us, ahead_us;
	struct limits_caller *buckets[BUCKETS];
	size_t n;
	int64_t swept_us;
	atomic_uint_fast64_t refused[LIMITS_REASONS];
};

struct limits *limits_new(const struct coordinator_config *o)
{
	struct limits *l = xcalloc(1, sizeof *l);

	pthread_mutex_init(&l->lock, NULL);
	l->local = o->limit_local;
	l->at_once = o->calls_at_once;
	l->streams = o->streams;
	l->per_second = o->calls_per_second;
	if (o->calls_per_second)
		l->interval_us = 1000000 / o->calls_per_second;
	l->ahead_us = l->interval_us * (o->calls_burst - 1);
	return l;
}

void limits_free(struct limits *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct limits_caller *c = l->buckets[i], *next; c; c = next) {
			next = c->next;
			free(c);
		}
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* ---- callers: call with the lock held ---- */

/* FNV-1a. */
static size_t bucket_of(const char *name)
{
	uint64_t h = 14695981039346656037u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 1099511628211u;
	return h % BUCKETS;
}

static bool is_idle(const struct limits_caller *c, int64_t now_us, int64_t idle_us)
{
	if (c->calls || c->streams || c->due_us > now_us)
		return false;
	return now_us - c->seen_us >= idle_us;
}

/* Forgets callers that have been idle for so long. */
static void sweep(struct limits *l, int64_t now_us, int64_t idle_us)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		struct limits_caller **at = &l->buckets[i];
		while (*at) {
			struct limits_caller *c = *at;
			if (!is_idle(c, now_us, idle_us)) {
				at = &c->next;
				continue;
			}
			*at = c->next;
			free(c);
			l->n--;
		}
	}
	l->swept_us = now_us;
}

/* The caller with this name, added if it is new; NULL if there are too many. */
static struct limits_caller *get_or_add(struct limits *l, const char *name, int64_t now_us)
{
	size_t n = strlen(name) + 1;
	struct limits_caller *c = l->buckets[bucket_of(name)];

	while (c && strcmp(c->name, name) != 0)
		c = c->next;
	if (c) {
		c->seen_us = now_us;
		return c;
	}
	if (l->n == CALLERS_MAX)
		sweep(l, now_us, 0);
	else if (now_us - l->swept_us > SWEEP_US)
		sweep(l, now_us, IDLE_US);
	if (l->n == CALLERS_MAX)
		return NULL;
	c = xcalloc(1, sizeof *c + n);
	memcpy(c->name, name, n);
	c->seen_us = now_us;
	c->reported_us = now_us - REPORT_US;
	c->next = l->buckets[bucket_of(name)];
	l->buckets[bucket_of(name)] = c;
	l->n++;
	return c;
}

/* ---- permits ---- */

/* How long the caller has to wait before its next call; if it has not, the call is counted. */
static int64_t pace(const struct limits *l, struct limits_caller *c, int64_t now_us)
{
	int64_t due = MAX(c->due_us, now_us);

	if (due - now_us > l->ahead_us)
		return due - now_us - l->ahead_us;
	c->due_us = due + l->interval_us;
	return 0;
}

/* Call with the lock held.  The reason for a refusal; LIMITS_REASONS if there is none. */
static enum limits_reason take(struct limits *l, struct limits_caller *c, enum limits_kind what,
    int64_t now_us, int64_t *wait_ms)
{
	*wait_ms = BUSY_MS;
	if (!c)
		return LIMITS_CALLERS;
	if (what == LIMITS_STREAM) {
		if (l->streams && c->streams >= l->streams)
			return LIMITS_STREAMS;
		c->streams++;
		return LIMITS_REASONS;
	}
	if (l->at_once && c->calls >= l->at_once)
		return LIMITS_AT_ONCE;
	int64_t wait_us = 0;
	if (l->interval_us)
		wait_us = pace(l, c, now_us);
	if (wait_us) {
		*wait_ms = (wait_us + 999) / 1000;
		return LIMITS_RATE;
	}
	c->calls++;
	return LIMITS_REASONS;
}

/* Call with the lock held.  How many refusals are to be logged now. */
static uint64_t take_unreported(struct limits_caller *c, int64_t now_us)
{
	if (!c)
		return 1;
	c->unreported++;
	if (now_us - c->reported_us < REPORT_US)
		return 0;
	uint64_t n = c->unreported;
	c->unreported = 0;
	c->reported_us = now_us;
	return n;
}

static int refuse(const struct limits *l, enum limits_reason why, int64_t retry_ms, struct err *e)
{
	switch (why) {
	case LIMITS_AT_ONCE:
		err_set(
		    e, ERR_RATE_LIMITED, "%lld calls of this caller are running", (long long)l->at_once);
		break;
	case LIMITS_STREAMS:
		err_set(e, ERR_RATE_LIMITED, "%lld streams of this caller are open", (long long)l->streams);
		break;
	case LIMITS_RATE:
		err_set(e, ERR_RATE_LIMITED, "more than %lld calls per second", (long long)l->per_second);
		break;
	default:
		err_set(e, ERR_RATE_LIMITED, "more callers than this coordinator serves at once");
	}
	return err_hint(e, "Retry in %lld ms, and send fewer requests at once.", (long long)retry_ms);
}

static bool is_limited(const struct limits *l, const struct caller *caller)
{
	if (!l || caller == &caller_self)
		return false;
	return caller != &caller_local || l->local;
}

int limits_acquire(struct limits *l, const struct caller *caller, enum limits_kind what,
    int64_t now_us, struct limits_permit *permit, struct refusal *refusal, struct err *e)
{
	*permit = (struct limits_permit){ 0 };
	if (!is_limited(l, caller))
		return 0;
	pthread_mutex_lock(&l->lock);
	struct limits_caller *c = get_or_add(l, caller->name, now_us);
	enum limits_reason why = take(l, c, what, now_us, &refusal->retry_ms);
	if (why == LIMITS_REASONS)
		*permit = (struct limits_permit){ c, what };
	else
		refusal->n = take_unreported(c, now_us);
	pthread_mutex_unlock(&l->lock);
	if (why == LIMITS_REASONS)
		return 0;
	limits_count_refusal(l, why);
	return refuse(l, why, refusal->retry_ms, e);
}

void limits_release(struct limits *l, struct limits_permit *permit)
{
	struct limits_caller *c = permit->of;

	if (!c)
		return;
	pthread_mutex_lock(&l->lock);
	if (permit->what == LIMITS_STREAM)
		c->streams--;
	else
		c->calls--;
	pthread_mutex_unlock(&l->lock);
	permit->of = NULL;
}

/* ---- counts ---- */

void limits_count_refusal(struct limits *l, enum limits_reason why)
{
	if (l)
		atomic_fetch_add(&l->refused[why], 1);
}

uint64_t limits_refuse_anonymous(struct limits *l, enum limits_reason why, int64_t now_us)
{
	if (!l)
		return 1;
	limits_count_refusal(l, why);
	pthread_mutex_lock(&l->lock);
	uint64_t n = take_unreported(get_or_add(l, caller_nobody.name, now_us), now_us);
	pthread_mutex_unlock(&l->lock);
	return n;
}

uint64_t limits_refused(struct limits *l, enum limits_reason why)
{
	return atomic_load(&l->refused[why]);
}

const char *limits_label(enum limits_reason why)
{
	return labels[why];
}

struct limits_counts limits_counts(struct limits *l)
{
	struct limits_counts now = { 0 };

	pthread_mutex_lock(&l->lock);
	now.callers = l->n;
	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct limits_caller *c = l->buckets[i]; c; c = c->next) {
			now.calls += (uint64_t)c->calls;
			now.streams += (uint64_t)c->streams;
		}
	pthread_mutex_unlock(&l->lock);
	return now;
}
