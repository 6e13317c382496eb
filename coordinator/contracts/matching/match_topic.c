#include "coordinator/contracts/matching/match_topic.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/member_relations.h"
#include "coordinator/contracts/matching/service_name.h"
#include "coordinator/contracts/matching/topic_pattern.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"

enum {
	HOPS = 4,
	WORD_MIN = 3, /* letters of a word that tells something */
	SPECIAL_WORDS = 2, /* such words of a name that nobody else has by chance */
};

enum {
	SNS = 1,
	SQS = 2,
	KAFKA = 4,
	RABBITMQ = 8,
	NATS = 16,
	REDIS = 32,
	PUBSUB = 64,
	CELERY = 128,
	SIDEKIQ = 256,
	BULLMQ = 512,
};

/*
 * The brokers of each framework, as bits, and the brokers that it forwards to.  A framework that is
 * not listed may use any broker.
 */
static const struct {
	const char *framework;
	unsigned broker, forwards_to;
} brokers[] = {
	{ "sns", SNS, SQS }, /* the queues of a topic */
	{ "sqs", SQS, SQS },
	{ "sam", SNS | SQS, SQS },
	{ "serverless", SNS | SQS, SQS },
	{ "cloudformation", SNS | SQS, SQS },
	{ "terraform", SNS | SQS | PUBSUB, SQS | PUBSUB },
	{ "kafka", KAFKA, KAFKA },
	{ "rabbitmq", RABBITMQ, RABBITMQ },
	{ "nats", NATS, NATS },
	{ "redis", REDIS, REDIS },
	{ "pubsub", PUBSUB, PUBSUB },
	{ "celery", CELERY, CELERY },
	{ "sidekiq", SIDEKIQ, SIDEKIQ },
	{ "bullmq", BULLMQ, BULLMQ },
};

/* A listener or a subscription that forwards. */
struct topic_entry {
	const struct fact *fact;
	struct provider *listener; /* NULL if it forwards */
	size_t member;
	unsigned broker;
	struct topic_pattern *pattern; /* NULL if the name is not a pattern */
	struct topic_entry *next; /* with the same name; the next pattern */
};

struct topic_index {
	struct map *by_name; /* struct topic_entry */
	struct topic_entry *patterns, **last;
};

/* The name whose listeners are searched. */
struct topic_hop {
	const char *name, *exchange; /* the exchange is NULL if there is none or it is not known */
	unsigned broker;
	const struct forward_hop *via;
	int depth;
};

/*
 * Whether name and entry may mean the same topic: the brokers overlap, and a name that begins with
 * ./ is known in its own repository only.
 */
static bool is_same_scope(const struct topic_hop *h, const struct topic_entry *x)
{
	if (!(x->broker & h->broker))
		return false;
	if (strncmp(h->name, "./", 2))
		return true;
	return h->via && h->via->member == x->member;
}

/* The brokers of a fact, or those that it forwards to. */
static unsigned broker_of(const struct fact *f, bool forwards_to)
{
	for (size_t i = 0; i < LEN(brokers); i++) {
		if (!match_text_equal(f->framework, brokers[i].framework))
			continue;
		if (forwards_to)
			return brokers[i].forwards_to;
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

static bool is_subscription(const struct fact *f)
{
	return match_text_equal(f->kind, "topic") && f->to;
}

struct topic_index *topic_index_new(const struct match_context *w)
{
	struct topic_index *t = xcalloc(1, sizeof *t);

	t->by_name = map_new();
	t->last = &t->patterns;
	for (size_t i = 0; i < w->nproviders; i++) {
		struct provider *p = &w->providers[i];
		if (match_text_equal(p->fact->kind, "topic"))
			put(t, w, (struct topic_entry){ .fact = p->fact, .listener = p, .member = p->member });
	}
	for (size_t i = 0; i < w->n; i++) {
		size_t n;
		const struct fact **v = match_side(&w->m[i], "forwards", w->a, &n);
		for (size_t k = 0; k < n; k++)
			if (is_subscription(v[k]))
				put(t, w, (struct topic_entry){ .fact = v[k], .member = i });
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

/* Words that names of topics have whatever they are about. */
static const char *const common_words[] = { "all", "broadcast", "channel", "default", "dev",
	"error", "errors", "event", "events", "exchange", "log", "logs", "message", "messages",
	"notification", "notifications", "prod", "queue", "request", "requests", "response", "stream",
	"task", "tasks", "test", "topic", "update", "updates" };

static bool tells_something(const char *word)
{
	if (strlen(word) < WORD_MIN)
		return false;
	for (size_t i = 0; i < LEN(common_words); i++)
		if (!strcmp(word, common_words[i]))
			return false;
	return true;
}

/* Whether a name is so special that two repositories do not share it by chance. */
static bool is_special(const char *name)
{
	struct name_words words;
	size_t n = 0;

	name_words(name, &words);
	for (size_t i = 0; i < words.n; i++)
		n += tells_something(words.v[i]);
	return n >= SPECIAL_WORDS;
}

/* Whether the listener may be meant, or only has the same name as something of a stranger. */
static bool may_hear(
    struct match_context *w, const struct call_site *s, const struct provider *listener)
{
	if (listener->member == s->member || is_special(listener->fact->path))
		return true;
	return member_relation(w->relations, s->member, listener->member, NULL) != RELATION_NONE;
}

static void add_target(struct match_context *w, struct call_site *s, struct provider *listener,
    const struct forward_hop *via)
{
	if (is_target(s, listener) || declarations_deny(s, listener->member) ||
	    !may_hear(w, s, listener))
		return;
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = (struct match_target){ .p = listener, .rank.basis = MATCH_BY_PATH, .via = via };
}

/* Add the listener of an entry, or follow the entry to where it forwards. */
static void add_listener(struct match_context *w, struct call_site *s, const struct topic_hop *h,
    const struct topic_entry *x)
{
	if (x->listener) {
		add_target(w, s, x->listener, h->via);
		return;
	}
	if (h->depth == HOPS)
		return;
	struct forward_hop *via = arena_one(w->a, struct forward_hop);
	*via = (struct forward_hop){ x->member, x->fact, x->fact->to, h->via };
	struct topic_hop next = { x->fact->to, NULL, broker_of(x->fact, true), via, h->depth + 1 };
	follow(w, s, &next);
}

/* Whether the exchanges are not known to differ. */
static bool exchanges_fit(const struct topic_hop *h, const struct fact *f)
{
	return !h->exchange || !f->host || !strcmp(f->host, "{}") || !strcmp(h->exchange, f->host);
}

/*
 * Whether the entry binds a queue to an exchange, while the same repository listens to a queue of
 * that name: without an exchange, a broker puts the message there.  The entries of a repository
 * follow one another; `*listens` is the last one that has no exchange.
 */
static bool is_bound_elsewhere(
    const struct topic_hop *h, const struct topic_entry *x, const struct topic_entry **listens)
{
	if (h->exchange || !x->fact->host)
		return false;
	if (*listens && (*listens)->member == x->member)
		return true;
	for (const struct topic_entry *y = x->next; y && y->member == x->member; y = y->next)
		if (!y->fact->host) {
			*listens = y;
			return true;
		}
	return false;
}

static void follow(struct match_context *w, struct call_site *s, const struct topic_hop *h)
{
	const struct topic_entry *listens = NULL;

	for (const struct topic_entry *x = map_get(w->topics->by_name, h->name); x; x = x->next) {
		if (!x->fact->host)
			listens = x;
		if (is_same_scope(h, x) && exchanges_fit(h, x->fact) && !is_bound_elsewhere(h, x, &listens))
			add_listener(w, s, h, x);
	}
	for (const struct topic_entry *x = w->topics->patterns; x; x = x->next)
		if (is_same_scope(h, x) && exchanges_fit(h, x->fact) &&
		    topic_pattern_fits(x->pattern, h->name))
			add_listener(w, s, h, x);
	if (!h->exchange)
		return;
	/* a listener of the exchange that gives no key gets all messages */
	for (const struct topic_entry *x = map_get(w->topics->by_name, h->exchange); x; x = x->next)
		if (is_same_scope(h, x) && !x->fact->host)
			add_listener(w, s, h, x);
}

void topic_index_add_listeners(struct match_context *w, struct call_site *s)
{
	const struct fact *f = s->fact;
	struct topic_hop first = { f->path, text_or_null(f->host), broker_of(f, false), NULL, 0 };

	if (strcmp(f->path, "{}"))
		follow(w, s, &first);
}
