#include "coordinator/contracts/matching/match_topic.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/topic_pattern.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"

enum { HOPS = 4 };

/* Who speaks to whom, as bits; what is not here may speak to anybody. */
static const struct { const char *framework; unsigned broker, on; } brokers[] = {
	{ "sns", 1, 2 },	/* a topic's queues are SQS' */
	{ "terraform", 1 | 2 | 64, 2 | 64 }, { "cloudformation", 1 | 2, 2 },
	{ "sqs", 2, 2 }, { "sam", 1 | 2, 2 }, { "serverless", 1 | 2, 2 }, { "kafka", 4, 4 },
	    { "rabbitmq", 8, 8 },
	{ "nats", 16, 16 }, { "redis", 32, 32 }, { "pubsub", 64, 64 }, { "celery", 128, 128 },
	    { "sidekiq", 256, 256 },
	{ "bullmq", 512, 512 },
};

/* What listens, or is sent on. */
struct topic_entry {
	const struct fact *fact;
	struct provider *listener;	/* NULL: it is sent on */
	size_t member;
	unsigned broker;
	struct topic_pattern *pattern;	/* NULL: a plain name */
	struct topic_entry *next;		/* of the same name; the next pattern */
};

struct topic_index {
	struct map *by_name;	/* struct topic_entry */
	struct topic_entry *patterns, **last;
};

/* What is looked for. */
struct topic_hop {
	const char *name, *exchange;	/* NULL: none, or it is not known */
	unsigned broker;
	const struct forward_hop *via;
	int depth;
};

/* Whether they speak of the same: a name that begins with ./ is known in its repository alone. */
static bool is_same_scope(const struct topic_hop *h, const struct topic_entry *x)
{
	return (x->broker & h->broker) &&
	    (strncmp(h->name, "./", 2) || (h->via && h->via->member == x->member));
}

/* The bits of a fact's broker; `on`: of that which it is sent on by. */
static unsigned broker_of(const struct fact *f, bool on)
{
	for (size_t i = 0; i < LEN(brokers); i++)
		if (f->framework && match_text_equal(f->framework, brokers[i].framework)) {
			if (on)
				return brokers[i].on;
			return brokers[i].broker;
		}
	return ~0u;
}

static void put(struct topic_index *t, const struct match_context *w, struct topic_entry e)
{
	struct topic_entry *x = arena_one(w->a, struct topic_entry);

	*x = e;
	x->broker = broker_of(e.fact, false);
	if (topic_is_pattern(e.fact->path)) {
		x->pattern = topic_pattern_new(e.fact->path);
		*t->last = x;
		t->last = &x->next;
		return;
	}
	struct topic_entry **at = (struct topic_entry **)map_at(t->by_name, e.fact->path);
	while (*at)
		at = &(*at)->next;
	*at = x;
}

struct topic_index *topic_index_new(const struct match_context *w)
{
	struct topic_index *t = xcalloc(1, sizeof *t);

	t->by_name = map_new();
	t->last = &t->patterns;
	for (size_t i = 0; i < w->nproviders; i++)
		if (match_text_equal(w->providers[i].fact->kind, "topic"))
			put(t, w,
			    (struct topic_entry){ .fact = w->providers[i].fact,
			        .listener = &w->providers[i],
			        .member = w->providers[i].member });
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; w->m[i].facts && k < w->m[i].facts->facts.n; k++) {
			const struct fact *f = &w->m[i].facts->facts.v[k];
			if (match_text_equal(f->side, "forwards") && match_text_equal(f->kind, "topic") &&
			    f->path && f->to && f->file)
				put(t, w, (struct topic_entry){ .fact = f, .member = i });
		}
	return t;
}

void topic_index_free(struct topic_index *t)
{
	if (!t)
		return;
	for (struct topic_entry *x = t->patterns; x; x = x->next)
		topic_pattern_free(x->pattern);
	map_free(t->by_name);
	free(t);
}

static void follow(struct match_context *, struct call_site *, const struct topic_hop *);

static bool is_target(const struct call_site *s, const struct provider *p)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].p == p)
			return true;
	return false;
}

static void add_listener(struct match_context *w, struct call_site *s, const struct topic_hop *h,
    const struct topic_entry *x)
{
	if (x->listener && !is_target(s, x->listener)) {
		s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		s->v[s->n++] = (struct match_target){
			.p = x->listener, .rank = { .basis = MATCH_BY_PATH }, .via = h->via
		};
	}
	if (x->listener || h->depth == HOPS)
		return;
	struct forward_hop *via = arena_one(w->a, struct forward_hop);
	*via = (struct forward_hop){ x->member, x->fact, x->fact->to, h->via };
	follow(w, s,
	    &(struct topic_hop){ x->fact->to, NULL, broker_of(x->fact, true), via, h->depth + 1 });
}

/* Whether the exchanges are not known to be others. */
static bool exchanges_fit(const struct topic_hop *h, const struct fact *f)
{
	return !h->exchange || !f->host || !strcmp(h->exchange, f->host);
}

static void follow(struct match_context *w, struct call_site *s, const struct topic_hop *h)
{
	for (const struct topic_entry *x = map_get(w->topics->by_name, h->name); x; x = x->next)
		if (is_same_scope(h, x) && exchanges_fit(h, x->fact))
			add_listener(w, s, h, x);
	for (const struct topic_entry *x = w->topics->patterns; x; x = x->next)
		if (is_same_scope(h, x) && exchanges_fit(h, x->fact) &&
		    topic_pattern_fits(x->pattern, h->name))
			add_listener(w, s, h, x);
	/* Who listens to an exchange without a key gets all of it. */
	for (const struct topic_entry *x = h->exchange ? map_get(w->topics->by_name, h->exchange) :
	                                                 NULL;
	     x; x = x->next)
		if (is_same_scope(h, x) && !x->fact->host)
			add_listener(w, s, h, x);
}

void topic_index_add_listeners(struct match_context *w, struct call_site *s)
{
	const char *exchange = NULL;

	if (s->fact->host && *s->fact->host)
		exchange = s->fact->host;
	if (strcmp(s->fact->path, "{}"))
		follow(w, s,
		    &(struct topic_hop){ s->fact->path, exchange, broker_of(s->fact, false), NULL, 0 });
}
