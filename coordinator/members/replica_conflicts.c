/*
 * Whether the shards of a repository are replicas: those that have the same commit are, and those of which one has the
 * other's commit in its repository, as one of them only lags.  Who has neither keeps other content under the same name: the one
 * that answered before goes on to, the other is not asked, and that is told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/wire/protocol_features.h"
#include "proto/wire/wire.h"

enum {
	ASK_MS = 5000, AGAIN_MS = 5000,		/* after a question that failed */
	GRACE_MS = 3000,			/* after the start, for whoever has the commit that was served last */
	GREETING_MS = 15000,			/* until who has not said what it can do is taken for an older program */
	HELD_MS = 300000,			/* how long the place of one that is down is kept against others */
};

/* A question about two commits; replicas are found again by their bits, as they may go meanwhile. */
struct comparison {
	struct members *all;
	struct member *m;
	uint32_t ref, other;			/* bits */
	char ref_commit[COMMIT], commit[COMMIT];
	bool back;				/* the second question: the other one was asked */
};

static struct replica *by_bit(const struct member *m, uint32_t bit)
{
	struct replica *r = m->own->replicas;

	while (r && r->bit != bit)
		r = r->next;
	return r;
}

static bool here(const struct replica *r)
{
	return r->peer && r->answered && r->health != DOWN && *r->said.commit;
}

static const char *host_of(const struct replica *r)
{
	return r->host ? r->host : r->name;
}

static void settle(struct replica *r, const struct replica *ref, enum kin kin)
{
	char why[REASON] = "";
	bool sure = kin != KIN_APART || here(ref);

	if (ref && sure) {
		snprintf(r->compared, sizeof r->compared, "%s", r->said.commit);
		snprintf(r->compared_to, sizeof r->compared_to, "%s", ref->said.commit);
	}
	if (kin == KIN_APART && sure)
		snprintf(why, sizeof why,
		    "other content under this name: it has %.12s, %.60s has %.12s and answers, neither has the other's; it is not asked",
		    r->said.commit, host_of(ref), ref->said.commit);
	else if (kin == KIN_APART)
		snprintf(why, sizeof why, "it does not have %.12s, which %.60s served and that is away; it is not asked for %d minutes",
		    ref->said.commit, host_of(ref), HELD_MS / 60000);
	if (!sure)
		r->compare_after = clock_ms() + AGAIN_MS;
	if (r->kin != kin && (kin == KIN_APART || r->kin == KIN_APART))
		log_warn("member.conflict", "repo=%s replica=%s apart=%d message=%s", r->m->repo_uri, log_quote(r->name), kin == KIN_APART,
		    log_quote(why));
	r->kin = kin;
	snprintf(r->apart_why, sizeof r->apart_why, "%s", why);
}

/* ---- asking ---- */

static void ask_one(struct comparison *);

/* With the lock held: what the answer comes to; whether the other side shall be asked, too. */
static bool heard(struct comparison *c, bool ok, bool known)
{
	struct replica *ref = by_bit(c->m, c->ref), *r = by_bit(c->m, c->other);

	if (r)
		r->comparing = false;
	if (!ref || !r || strcmp(ref->said.commit, c->ref_commit) || strcmp(r->said.commit, c->commit))
		return false;		/* they have moved on */
	if (!ok) {
		r->compare_after = clock_ms() + AGAIN_MS;
		return false;
	}
	if (known)
		settle(r, ref, KIN_REPLICA);
	else if (!c->back && (r->features & 1u << FEATURE_knows))
		return r->comparing = true;
	else
		settle(r, ref, c->back ? KIN_APART : KIN_REPLICA);	/* one side alone cannot say it of an older program */
	return false;
}

static void on_knows(void *arg, struct wire_reply *reply)
{
	struct comparison *c = arg;
	struct arena *a = arena_new();
	struct knows_res res;
	bool ok = !wire_reply_get(reply, &rec_knows_res, &res, NULL, a, NULL);

	wire_reply_free(reply);
	pthread_mutex_lock(&c->all->lock);
	bool more = heard(c, ok, ok && res.commits.n);
	pthread_mutex_unlock(&c->all->lock);
	arena_free(a);
	c->back = true;
	if (more)
		ask_one(c);
	else
		free(c);
}

/* Ask the reference whether it has the other's commit, or, at the second time, the other whether it has that of the reference. */
static void ask_one(struct comparison *c)
{
	const char *commit = c->back ? c->ref_commit : c->commit;
	const struct knows_req q = { { &commit, 1 } };
	struct members *all = c->all;	/* `c` may be gone when wire_ask returns */
	struct route route;

	if (members_again(c->all, c->m, c->back ? c->other : c->ref, &route)) {
		pthread_mutex_lock(&c->all->lock);
		heard(c, false, false);
		pthread_mutex_unlock(&c->all->lock);
		free(c);
		return;
	}
	wire_ask(route.peer, "knows", &rec_knows_req, &q, "", ASK_MS, true, on_knows, c);
	members_done(all, &route);
}

/* ---- who is asked about whom ---- */

/* With the lock held: the one that others are compared with: it answers and was taken before, the first of these. */
static struct replica *reference(struct members *all, const struct member *m, int64_t now)
{
	struct replica *first = NULL, *held = NULL;
	bool waiting = false;

	for (struct replica *r = m->own->replicas; r; r = r->next) {
		if (r->kin == KIN_REPLICA && here(r))
			return r;
		if (r->kin == KIN_REPLICA && now - r->down_since < HELD_MS)
			held = held ? held : r;
		else if (r->kin == KIN_REPLICA)
			r->kin = KIN_NEW;	/* whoever answers meanwhile keeps the place */
		waiting |= r->kin == KIN_NEW && !r->answered && !r->failures;
		if (r->kin == KIN_NEW && here(r) && (!first || !strcmp(r->said.commit, m->own->served)))
			first = r;
	}
	if (held)
		return held;
	bool sure = first && (!strcmp(first->said.commit, m->own->served) || !*m->own->served);
	for (struct replica *r = m->own->replicas; r && !first; r = r->next)
		if (here(r))		/* apart, from one that is gone for good */
			first = r;
	if (!first || (!sure && waiting && now < all->began + GRACE_MS))
		return NULL;
	settle(first, NULL, KIN_REPLICA);
	return first;
}

/* With the lock held: a comparison that is to be made, or NULL. */
static struct comparison *compare(struct members *all, struct member *m, struct replica *ref, struct replica *r, int64_t now)
{
	bool asks = ref->features & 1u << FEATURE_knows && here(ref), answers = r->features & 1u << FEATURE_knows;

	if (r == ref || !here(r) || r->comparing)
		return NULL;
	if (!strcmp(r->said.commit, ref->said.commit)) {
		settle(r, ref, KIN_REPLICA);
		return NULL;
	}
	if (now < r->compare_after || (!strcmp(r->compared, r->said.commit) && !strcmp(r->compared_to, ref->said.commit)))
		return NULL;
	if (!r->greeted && now < r->dialled + GREETING_MS)
		return NULL;
	if (!asks && !answers) {	/* older programs */
		settle(r, ref, KIN_REPLICA);
		return NULL;
	}
	struct comparison *c = calloc(1, sizeof *c);
	if (!c)
		abort();
	*c = (struct comparison){ .all = all, .m = m, .ref = ref->bit, .other = r->bit, .back = !asks };
	memcpy(c->ref_commit, ref->said.commit, COMMIT);
	memcpy(c->commit, r->said.commit, COMMIT);
	r->comparing = true;
	return c;
}

static size_t compare_all(struct members *all, struct member *m, int64_t now, struct comparison **v)
{
	struct replica *ref = m->own->replicas ? reference(all, m, now) : NULL;
	size_t n = 0;

	for (struct replica *r = m->own->replicas; r && ref && n < REPLICAS_MAX; r = r->next)
		if ((v[n] = compare(all, m, ref, r, now)))
			n++;
	if (ref)
		memcpy(m->own->served, ref->said.commit, COMMIT);
	return n;
}

void kin_tick(struct members *all)
{
	struct comparison *v[REPLICAS_MAX];
	int64_t now = clock_ms();

	for (size_t i = 0, n = 1; n;) {
		pthread_mutex_lock(&all->lock);
		for (n = 0; !n && i < map_len(all->by_uri); i++)
			n = compare_all(all, map_val(all->by_uri, i), now, v);
		pthread_mutex_unlock(&all->lock);
		for (size_t k = 0; k < n; k++)
			ask_one(v[k]);
	}
}

bool kin_may_answer(const struct replica *r)
{
	if (r->kin != KIN_NEW)
		return r->kin == KIN_REPLICA;
	for (const struct replica *x = r->m->own->replicas; x; x = x->next)
		if (x->kin == KIN_REPLICA)
			return false;
	return true;
}
