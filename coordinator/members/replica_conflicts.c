/*
 * Whether the shards of a repository are replicas: those that have the same commit are, and those
 * of which one has the other's commit in its repository, as one of them only lags.  Who has
 * neither keeps other content under the same name: the one that answered before goes on to, the
 * other is not asked, and that is told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/wire/protocol_features.h"
#include "proto/wire/wire.h"

enum {
	ASK_MS = 5000, AGAIN_MS = 5000,		/* after a question that failed */
	/* after the start, for whoever has the commit that was served last */
	GRACE_MS = 3000,
	/* until who has not said what it can do is taken for an older program */
	GREETING_MS = 15000,
	HELD_MS = 300000,			/* how long the place of one that is down is kept against others */
};

/*
 * A question about two commits; replicas are found again by their bits, as they may go meanwhile.
 */
struct commit_comparison {
	struct members *all;
	struct member *m;
	uint32_t ref, other;			/* bits */
	char ref_commit[COMMIT], commit[COMMIT];
	bool asks_other;				/* the second question: the other one was asked */
};

static struct replica *by_bit(const struct member *m, uint32_t bit)
{
	struct replica *r = m->state->replicas;

	while (r && r->bit != bit)
		r = r->next;
	return r;
}

static bool here(const struct replica *r)
{
	return r->peer && r->answered && r->health != DOWN && *r->reported.commit;
}

static const char *host_of(const struct replica *r)
{
	return r->host ? r->host : r->name;
}

static void settle(struct replica *r, const struct replica *ref, enum replica_consistency kin)
{
	char why[REASON] = "";
	bool sure = kin != REPLICA_CONFLICTING || here(ref);

	if (ref && sure) {
		snprintf(r->compared, sizeof r->compared, "%s", r->reported.commit);
		snprintf(r->compared_to, sizeof r->compared_to, "%s", ref->reported.commit);
	}
	if (kin == REPLICA_CONFLICTING && sure)
		snprintf(why, sizeof why,
		    "other content under this name: it has %.12s, %.60s has %.12s and answers, neither has the other's; it is not asked",
		    r->reported.commit, host_of(ref), ref->reported.commit);
	else if (kin == REPLICA_CONFLICTING)
		snprintf(why, sizeof why,
		    "it does not have %.12s, which %.60s served and that is away; it is not asked for %d minutes",
		    ref->reported.commit, host_of(ref), HELD_MS / 60000);
	if (!sure)
		r->compare_after = clock_ms() + AGAIN_MS;
	if (r->consistency != kin &&
	    (kin == REPLICA_CONFLICTING || r->consistency == REPLICA_CONFLICTING))
		log_warn("member.conflict", "repo=%s replica=%s apart=%d message=%s", r->m->repo_uri,
		    log_quote(r->name), kin == REPLICA_CONFLICTING, log_quote(why));
	r->consistency = kin;
	snprintf(r->conflict_reason, sizeof r->conflict_reason, "%s", why);
}

/* ---- asking ---- */

static void ask_one(struct commit_comparison *);

/* With the lock held: what the answer comes to; whether the other side shall be asked, too. */
static bool heard(struct commit_comparison *c, bool ok, bool known)
{
	struct replica *ref = by_bit(c->m, c->ref), *r = by_bit(c->m, c->other);

	if (r)
		r->comparing = false;
	if (!ref || !r || strcmp(ref->reported.commit, c->ref_commit) ||
	    strcmp(r->reported.commit, c->commit))
		return false;		/* they have moved on */
	if (!ok) {
		r->compare_after = clock_ms() + AGAIN_MS;
		return false;
	}
	if (known)
		settle(r, ref, REPLICA_CONSISTENT);
	else if (!c->asks_other && (r->features & 1u << FEATURE_knows))
		return r->comparing = true;
	else
		settle(r, ref, c->asks_other ? REPLICA_CONFLICTING :
		    REPLICA_CONSISTENT);	/* one side alone cannot say it of an older program */
	return false;
}

static void on_knows(void *arg, struct wire_reply *reply)
{
	struct commit_comparison *c = arg;
	struct arena *a = arena_new();
	struct knows_res res;
	bool ok = !wire_reply_get(reply, &rec_knows_res, &res, NULL, a, NULL);

	wire_reply_free(reply);
	pthread_mutex_lock(&c->all->lock);
	bool more = heard(c, ok, ok && res.commits.n);
	pthread_mutex_unlock(&c->all->lock);
	arena_free(a);
	c->asks_other = true;
	if (more)
		ask_one(c);
	else
		free(c);
}

/*
 * Ask the reference whether it has the other's commit, or, at the second time, the other whether
 * it has that of the reference.
 */
static void ask_one(struct commit_comparison *c)
{
	const char *commit = c->asks_other ? c->ref_commit : c->commit;
	const struct knows_req q = { { &commit, 1 } };
	struct members *all = c->all;	/* `c` may be gone when wire_call_async returns */
	struct route route;

	if (members_route_bit(c->all, c->m, c->asks_other ? c->other : c->ref, &route)) {
		pthread_mutex_lock(&c->all->lock);
		heard(c, false, false);
		pthread_mutex_unlock(&c->all->lock);
		free(c);
		return;
	}
	wire_call_async(route.peer, "knows", &rec_knows_req, &q, "", ASK_MS, true, on_knows, c);
	members_route_release(all, &route);
}

/* ---- who is asked about whom ---- */

/*
 * With the lock held: the one that others are compared with: it answers and was taken before, the
 * first of these.
 */
static struct replica *reference(struct members *all, const struct member *m, int64_t now)
{
	struct replica *first = NULL, *held = NULL;
	bool waiting = false;

	for (struct replica *r = m->state->replicas; r; r = r->next) {
		if (r->consistency == REPLICA_CONSISTENT && here(r))
			return r;
		if (r->consistency == REPLICA_CONSISTENT && now - r->down_since < HELD_MS) {
			if (!held)
				held = r;
		} else if (r->consistency == REPLICA_CONSISTENT)
			r->consistency = REPLICA_UNCHECKED;	/* whoever answers meanwhile keeps the place */
		waiting |= r->consistency == REPLICA_UNCHECKED && !r->answered && !r->failures;
		if (r->consistency == REPLICA_UNCHECKED && here(r) &&
		    (!first || !strcmp(r->reported.commit, m->state->served)))
			first = r;
	}
	if (held)
		return held;
	bool sure = first && (!strcmp(first->reported.commit, m->state->served) || !*m->state->served);
	for (struct replica *r = m->state->replicas; r && !first; r = r->next)
		if (here(r))		/* apart, from one that is gone for good */
			first = r;
	if (!first || (!sure && waiting && now < all->began + GRACE_MS))
		return NULL;
	settle(first, NULL, REPLICA_CONSISTENT);
	return first;
}

/* With the lock held: a comparison that is to be made, or NULL. */
static struct commit_comparison *compare(
    struct members *all, struct member *m, struct replica *ref, struct replica *r, int64_t now)
{
	bool asks = ref->features & 1u << FEATURE_knows && here(ref),
	     answers = r->features & 1u << FEATURE_knows;

	if (r == ref || !here(r) || r->comparing)
		return NULL;
	if (!strcmp(r->reported.commit, ref->reported.commit)) {
		settle(r, ref, REPLICA_CONSISTENT);
		return NULL;
	}
	if (now < r->compare_after ||
	    (!strcmp(r->compared, r->reported.commit) && !strcmp(r->compared_to, ref->reported.commit)))
		return NULL;
	if (!r->features_known && now < r->dialled + GREETING_MS)
		return NULL;
	if (!asks && !answers) {	/* older programs */
		settle(r, ref, REPLICA_CONSISTENT);
		return NULL;
	}
	struct commit_comparison *c = xcalloc(1, sizeof *c);
	*c = (struct commit_comparison){ .all = all, .m = m, .ref = ref->bit, .other = r->bit, .asks_other = !asks };
	memcpy(c->ref_commit, ref->reported.commit, COMMIT);
	memcpy(c->commit, r->reported.commit, COMMIT);
	r->comparing = true;
	return c;
}

static size_t compare_all(
    struct members *all, struct member *m, int64_t now, struct commit_comparison **v)
{
	struct replica *ref = NULL;
	size_t n = 0;

	if (m->state->replicas)
		ref = reference(all, m, now);
	for (struct replica *r = m->state->replicas; r && ref && n < REPLICAS_MAX; r = r->next)
		if ((v[n] = compare(all, m, ref, r, now)))
			n++;
	if (ref)
		memcpy(m->state->served, ref->reported.commit, COMMIT);
	return n;
}

void replica_conflicts_tick(struct members *all)
{
	struct commit_comparison *v[REPLICAS_MAX];
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

bool replica_may_answer(const struct replica *r)
{
	if (r->consistency != REPLICA_UNCHECKED)
		return r->consistency == REPLICA_CONSISTENT;
	for (const struct replica *x = r->m->state->replicas; x; x = x->next)
		if (x->consistency == REPLICA_CONSISTENT)
			return false;
	return true;
}
