#include "coordinator/calls/admission_control.h"

#include <pthread.h>
#include <stdlib.h>

#include "proto/base/die.h"
#include "proto/base/minmax.h"

enum { FEW = 8 };			/* a question to more than this part of the room is wide */

/* Questions to few shards, or wide ones. */
struct admission_lane {
	size_t used;			/* room, in shards */
	uint64_t turn;			/* of the last question that was admitted */
	struct admission_ticket *first;	/* the waiting questions, ordered by turn */
};

struct admission {
	size_t max;
	pthread_mutex_t lock;		/* guards what follows */
	struct admission_lane few, many;
	bool closed;
};

struct admission *admission_new(size_t max)
{
	struct admission *a = xcalloc(1, sizeof *a);

	a->max = max;
	pthread_mutex_init(&a->lock, NULL);
	return a;
}

void admission_free(struct admission *a)
{
	if (!a)
		return;
	pthread_mutex_destroy(&a->lock);
	free(a);
}

size_t admission_small_max(const struct admission *a)
{
	if (a->max)
		return a->max / FEW;
	return SIZE_MAX;
}

static struct admission_lane *lane_of(struct admission *a, const struct admission_ticket *p)
{
	if (p->wide)
		return &a->many;
	return &a->few;
}

/*
 * The room that a question needs to begin.  Half of all room is enough for any, so that the next
 * question starts while the last shards of this one answer.
 */
static size_t need(const struct admission *a, const struct admission_ticket *p)
{
	return MIN(p->cost, a->max / 2);
}

/* The lock is held. */
static bool fits(
    const struct admission *a, const struct admission_lane *l, const struct admission_ticket *p)
{
	if (!a->max || a->closed || !l->used)
		return true;
	return l->used + need(a, p) <= a->max;
}

/* The lock is held. */
static void ticket_admit(struct admission_lane *l, struct admission_ticket *p)
{
	p->in = true;
	p->kept = p->room = p->cost;
	l->used += p->cost;
	l->turn = MAX(p->turn, l->turn);
}

/* Admit the waiting questions whose turn has come and that fit; returns them.  The lock is held. */
static struct admission_ticket *ticket_admit_next(struct admission *a, struct admission_lane *l)
{
	struct admission_ticket *out = NULL, **end = &out;

	while (l->first && fits(a, l, l->first)) {
		struct admission_ticket *p = l->first;
		l->first = p->next;
		ticket_admit(l, p);
		p->next = NULL;
		*end = p;
		end = &p->next;
	}
	return out;
}

/* Without the lock. */
static void ticket_notify(struct admission_ticket *p)
{
	while (p) {
		struct admission_ticket *next = p->next;
		p->then(p->arg);	/* may free the ticket */
		p = next;
	}
}

/*
 * Queue a question behind its caller's other questions, and before questions of callers who have
 * used more.  The lock is held.
 */
static void enqueue(struct admission_lane *l, struct admission_ticket *p)
{
	struct admission_ticket **at = &l->first;
	uint64_t last = l->turn;

	for (const struct admission_ticket *x = l->first; x; x = x->next)
		if (x->share == p->share && x->turn > last)
			last = x->turn;
	p->turn = last + p->cost;
	while (*at && (*at)->turn <= p->turn)
		at = &(*at)->next;
	p->next = *at;
	*at = p;
}

bool admission_enter(struct admission *a, struct admission_ticket *p, size_t cost, int64_t until_ms)
{
	p->wide = cost > admission_small_max(a);
	p->cost = cost;
	p->until_ms = until_ms;
	pthread_mutex_lock(&a->lock);
	struct admission_lane *l = lane_of(a, p);
	bool in = !l->first && fits(a, l, p);
	if (in) {
		p->turn = l->turn + cost;
		ticket_admit(l, p);
	} else {
		enqueue(l, p);
	}
	pthread_mutex_unlock(&a->lock);
	return in;
}

/* Adjust the room of a question; returns the questions that fit now.  The lock is held. */
static struct admission_ticket *resize(struct admission *a, struct admission_ticket *p)
{
	struct admission_lane *l = lane_of(a, p);
	size_t room = MAX(p->asked, p->kept);

	if (room == p->room)
		return NULL;
	l->used = l->used - p->room + room;
	p->room = room;
	return ticket_admit_next(a, l);
}

/* `more` more (or fewer) shards work for a question; then admit those that fit. */
static void change_load(struct admission *a, struct admission_ticket *p, ptrdiff_t more)
{
	if (!p->in)
		return;
	pthread_mutex_lock(&a->lock);
	p->asked += (size_t)more;
	struct admission_ticket *next = resize(a, p);
	pthread_mutex_unlock(&a->lock);
	ticket_notify(next);
}

void admission_ask(struct admission *a, struct admission_ticket *p, size_t n)
{
	change_load(a, p, (ptrdiff_t)n);
}

void admission_answered(struct admission *a, struct admission_ticket *p)
{
	change_load(a, p, -1);
}

void admission_drain(struct admission *a, struct admission_ticket *p)
{
	if (!p->in)
		return;
	pthread_mutex_lock(&a->lock);
	p->kept = need(a, p) / 2;
	pthread_mutex_unlock(&a->lock);
}

void admission_leave(struct admission *a, struct admission_ticket *p)
{
	if (!p->in)
		return;
	pthread_mutex_lock(&a->lock);
	p->in = false;
	p->asked = p->kept = 0;
	struct admission_ticket *more = resize(a, p);
	pthread_mutex_unlock(&a->lock);
	ticket_notify(more);
}

/* Take the expired questions out of a lane and put them before `out`.  The lock is held. */
static struct admission_ticket *take_expired_tickets(
    struct admission_lane *l, int64_t now_ms, struct admission_ticket *out)
{
	struct admission_ticket **at = &l->first;

	while (*at) {
		struct admission_ticket *p = *at;
		if (p->until_ms > now_ms) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		p->next = out;
		out = p;
	}
	return out;
}

void admission_expire(struct admission *a, int64_t now_ms)
{
	pthread_mutex_lock(&a->lock);
	struct admission_ticket *late = take_expired_tickets(
	    &a->few, now_ms, take_expired_tickets(&a->many, now_ms, NULL));
	/* the next question may need less room */
	struct admission_ticket *few = ticket_admit_next(a, &a->few),
	                        *many = ticket_admit_next(a, &a->many);
	pthread_mutex_unlock(&a->lock);
	ticket_notify(late);
	ticket_notify(few);
	ticket_notify(many);
}

void admission_close(struct admission *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->closed = true;
	struct admission_ticket *few = ticket_admit_next(a, &a->few),
	                        *many = ticket_admit_next(a, &a->many);
	pthread_mutex_unlock(&a->lock);
	ticket_notify(few);
	ticket_notify(many);
}

static size_t waiting(const struct admission_lane *l)
{
	size_t n = 0;

	for (const struct admission_ticket *p = l->first; p; p = p->next)
		n++;
	return n;
}

struct admission_usage admission_usage_get(struct admission *a)
{
	pthread_mutex_lock(&a->lock);
	struct admission_usage now = { a->few.used + a->many.used,
		waiting(&a->few) + waiting(&a->many) };
	pthread_mutex_unlock(&a->lock);
	return now;
}
