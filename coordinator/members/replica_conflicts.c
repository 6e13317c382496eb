/*
 * Decides whether the shards of a repository are replicas.  They are if they have the same commit,
 * or if one repository contains the other's commit, because then one only lags.  Otherwise they
 * have different content under the same name: the shard that answered first keeps answering, the
 * other gets no requests, and the conflict is reported.
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
	ASK_MS = 5000,
	AGAIN_MS = 5000,	/* after a request that failed */
	GRACE_MS = 3000,	/* after the start, wait for a shard with the commit that was served last */
	GREETING_MS = 15000,	/* without features by then, a shard is an older version */
	HELD_MS = 300000,	/* a shard that is down for so long still excludes shards in conflict */
};

/*
 * A comparison of two commits in progress.  Replicas are identified by their bits, because they
 * may be removed meanwhile.
 */
struct commit_comparison {
	struct members *all;
	struct member *m;
	uint32_t ref, other;			/* bits */
	char ref_commit[COMMIT], commit[COMMIT];
	bool asks_other;			/* the other shard is asked, not the reference */
};

static struct replica *by_bit(const struct member *m, uint32_t bit)
{
	struct replica *r = m->state->replicas;

	while (r && r->bit != bit)
		r = r->next;
	return r;
}

static bool is_up(const struct replica *r)
{
	return r->peer && r->answered && r->health != DOWN && *r->reported.commit;
}

static bool can_compare(const struct replica *r)
{
	return r->features & 1u << FEATURE_knows;
}

static const char *host_of(const struct replica *r)
{
	if (r->host)
		return r->host;
	return r->name;
}

static void settle_consistent(struct replica *r)
{
	if (r->consistency == REPLICA_CONFLICTING)
		log_warn("member.conflict", "repo=%s replica=%s apart=0 message=\"\"", r->m->repo_uri,
		    log_quote(r->name));
	r->consistency = REPLICA_CONSISTENT;
	*r->conflict_reason = 0;
}

static void note_compared(struct replica *r, const struct replica *ref)
{
	snprintf(r->compared, sizeof r->compared, "%s", r->reported.commit);
	snprintf(r->compared_to, sizeof r->compared_to, "%s", ref->reported.commit);
}

/* The conflict is final for these commits, unless the reference is down: then check again. */
static void settle_conflicting(struct replica *r, const struct replica *ref)
{
	char why[REASON];

	if (is_up(ref)) {
		note_compared(r, ref);
		snprintf(why, sizeof why,
		    "other content under this name: it has %.12s, %.60s has %.12s and answers,"
		    " neither has the other's commit; it gets no requests",
		    r->reported.commit, host_of(ref), ref->reported.commit);
	} else {
		r->compare_after = clock_ms() + AGAIN_MS;
		snprintf(why, sizeof why,
		    "it does not have %.12s, which %.60s served before it went down;"
		    " it gets no requests for %d minutes",
		    ref->reported.commit, host_of(ref), HELD_MS / 60000);
	}
	if (r->consistency != REPLICA_CONFLICTING)
		log_warn("member.conflict", "repo=%s replica=%s apart=1 message=%s", r->m->repo_uri,
		    log_quote(r->name), log_quote(why));
	r->consistency = REPLICA_CONFLICTING;
	snprintf(r->conflict_reason, sizeof r->conflict_reason, "%s", why);
}

/* ---- asking ---- */

static void ask_one(struct commit_comparison *);

static bool is_outdated(
    const struct commit_comparison *c, const struct replica *ref, const struct replica *r)
{
	if (!ref || !r)
		return true;
	return strcmp(ref->reported.commit, c->ref_commit) || strcmp(r->reported.commit, c->commit);
}

/* Call with the lock held.  Evaluates an answer; true if the other shard has to be asked, too. */
static bool note_answer(struct commit_comparison *c, bool ok, bool known)
{
	struct replica *ref = by_bit(c->m, c->ref), *r = by_bit(c->m, c->other);

	if (r)
		r->comparing = false;
	if (is_outdated(c, ref, r))
		return false;
	if (!ok) {
		r->compare_after = clock_ms() + AGAIN_MS;
		return false;
	}
	if (!known && c->asks_other) {
		settle_conflicting(r, ref);
		return false;
	}
	if (!known && can_compare(r)) {
		r->comparing = true;
		return true;
	}
	/* An older version cannot be asked, and one side alone cannot prove a conflict. */
	note_compared(r, ref);
	settle_consistent(r);
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
	bool more = note_answer(c, ok, ok && res.commits.n);
	pthread_mutex_unlock(&c->all->lock);
	arena_free(a);
	c->asks_other = true;
	if (more)
		ask_one(c);
	else
		free(c);
}

/* Asks one shard whether its repository contains the other shard's commit. */
static void ask_one(struct commit_comparison *c)
{
	struct members *all = c->all;	/* `c` may be freed before wire_call_async returns */
	uint32_t bit = c->ref;
	const char *commit = c->commit;
	struct route route;

	if (c->asks_other) {
		bit = c->other;
		commit = c->ref_commit;
	}
	if (members_route_bit(c->all, c->m, bit, &route)) {
		pthread_mutex_lock(&c->all->lock);
		note_answer(c, false, false);
		pthread_mutex_unlock(&c->all->lock);
		free(c);
		return;
	}
	const struct knows_req q = { { &commit, 1 } };
	wire_call_async(route.peer, "knows", &rec_knows_req, &q, "", ASK_MS, true, on_knows, c);
	members_route_release(all, &route);
}

/* ---- what to compare ---- */

/* Whether the shard has the commit that was served last; any commit, if none was served. */
static bool has_served_commit(const struct replica *r, const struct member *m)
{
	return !*m->state->served || !strcmp(r->reported.commit, m->state->served);
}

/*
 * Call with the lock held.  The consistent shard that others are compared with: the first that is
 * up, else the first that went down a short time ago.  Shards that are down for longer lose their
 * place to whichever answers now.
 */
static struct replica *find_consistent(const struct member *m, int64_t now)
{
	struct replica *held = NULL;

	for (struct replica *r = m->state->replicas; r; r = r->next) {
		if (r->consistency != REPLICA_CONSISTENT)
			continue;
		if (is_up(r))
			return r;
		if (now - r->down_since >= HELD_MS)
			r->consistency = REPLICA_UNCHECKED;
		else if (!held)
			held = r;
	}
	return held;
}

/*
 * Call with the lock held.  A new reference: an unchecked shard, preferably with the commit that
 * was served last; else one whose opponent is gone for good.  NULL while another shard, shortly
 * after the start, may still bring that commit.
 */
static struct replica *new_reference(struct members *all, const struct member *m, int64_t now)
{
	struct replica *first = NULL;
	bool waiting = false;

	for (struct replica *r = m->state->replicas; r; r = r->next) {
		if (r->consistency != REPLICA_UNCHECKED)
			continue;
		if (!r->answered && !r->failures)
			waiting = true;
		if (is_up(r) && (!first || !strcmp(r->reported.commit, m->state->served)))
			first = r;
	}
	bool sure = first && has_served_commit(first, m);
	for (struct replica *r = m->state->replicas; r && !first; r = r->next)
		if (is_up(r))
			first = r;
	if (!sure && waiting && now < all->began + GRACE_MS)
		return NULL;
	if (first)
		settle_consistent(first);
	return first;
}

static struct replica *reference(struct members *all, const struct member *m, int64_t now)
{
	struct replica *r = find_consistent(m, now);

	if (r)
		return r;
	return new_reference(all, m, now);
}

static bool was_compared(const struct replica *r, const struct replica *ref)
{
	return !strcmp(r->compared, r->reported.commit) &&
	    !strcmp(r->compared_to, ref->reported.commit);
}

/* Call with the lock held.  The comparison to start, or NULL. */
static struct commit_comparison *compare(
    struct members *all, struct member *m, struct replica *ref, struct replica *r, int64_t now)
{
	if (r == ref || !is_up(r) || r->comparing)
		return NULL;
	bool ask_ref = can_compare(ref) && is_up(ref);
	bool same = !strcmp(r->reported.commit, ref->reported.commit);
	if (!same) {
		if (now < r->compare_after || was_compared(r, ref))
			return NULL;
		if (!r->features_known && now < r->dialled + GREETING_MS)
			return NULL;
	}
	if (same || (!ask_ref && !can_compare(r))) {	/* older versions cannot be compared */
		note_compared(r, ref);
		settle_consistent(r);
		return NULL;
	}
	struct commit_comparison *c = xcalloc(1, sizeof *c);
	*c = (struct commit_comparison){
		.all = all, .m = m, .ref = ref->bit, .other = r->bit, .asks_other = !ask_ref
	};
	memcpy(c->ref_commit, ref->reported.commit, COMMIT);
	memcpy(c->commit, r->reported.commit, COMMIT);
	r->comparing = true;
	return c;
}

static size_t compare_all(
    struct members *all, struct member *m, int64_t now, struct commit_comparison **v)
{
	struct replica *ref = reference(all, m, now);
	size_t n = 0;

	if (!ref)
		return 0;
	for (struct replica *r = m->state->replicas; r && n < REPLICAS_MAX; r = r->next) {
		v[n] = compare(all, m, ref, r, now);
		if (v[n])
			n++;
	}
	memcpy(m->state->served, ref->reported.commit, COMMIT);
	return n;
}

void replica_conflicts_tick(struct members *all)
{
	struct commit_comparison *v[REPLICAS_MAX];
	int64_t now = clock_ms();
	size_t i = 0, n;

	do {	/* until no further member has something to compare */
		n = 0;
		pthread_mutex_lock(&all->lock);
		while (!n && i < map_len(all->by_uri))
			n = compare_all(all, map_val(all->by_uri, i++), now, v);
		pthread_mutex_unlock(&all->lock);
		for (size_t k = 0; k < n; k++)
			ask_one(v[k]);
	} while (n);
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
