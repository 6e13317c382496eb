/* Connects to shards: new, moved, stuck, lost, down for long, and removed ones. */
#include <stdio.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/wire/wire.h"

enum {
	REST_AFTER_MS = 60000,	/* the connection to a shard that is down for so long is closed */
	TRY_AFTER_MS = 15000,	/* and, with a shared registry, tried again so often */
	TRY_MS = 3000,		/* for so long */
	PATIENCE_MS = 2000,
	LOST_MS = 500,
};

/*
 * Whether a shard that announces itself should be dialled again, because its connection is lost,
 * waits for nng's next attempt, or brings no answers.  With many shards a handshake takes longer,
 * and must not be started again before it is done.
 */
static bool is_stuck(const struct replica *r)
{
	int64_t now = clock_ms(), interval = r->all->interval;

	if (r->answered && r->peer && !wire_connected(r->peer))
		return now > r->dialled + LOST_MS;
	if (r->health != DOWN)
		return false;
	if (!r->peer)
		return true;
	bool silent = r->failures || (r->probing && now > r->probe_until + PATIENCE_MS);
	return silent && now > r->dialled + MAX(interval, PATIENCE_MS);
}

void members_retire(struct members *all, struct replica **at)
{
	struct replica *old = *at;

	*at = old->next;
	all->moved++;
	old->retired = true;
	old->next = all->retired;
	all->retired = old;
}

/* Copies what is known of a shard to its successor after it is dialled again or has moved. */
static void copy_history(struct replica *r, struct replica *old)
{
	r->since = old->since;
	r->times = old->times;
	r->features = old->features;
	r->features_known = old->features_known;
	r->consistency = old->consistency;
	r->reported = old->reported;	/* takes over its memory */
	old->reported = (struct index_status){ 0 };
	memcpy(r->conflict_reason, old->conflict_reason, sizeof r->conflict_reason);
	memcpy(r->compared, old->compared, sizeof r->compared);
	memcpy(r->compared_to, old->compared_to, sizeof r->compared_to);
}

/*
 * Replaces the connection of `*at`.  A shard whose connection was lost is back, since it has
 * announced itself: without a better shard, requests wait for its connection.  A shard that was
 * silent is not usable before its first answer.
 */
static struct replica *redial(struct members *all, struct replica **at)
{
	struct replica *old = *at, *r;
	bool lost = old->answered && old->peer && !wire_connected(old->peer);

	members_retire(all, at);
	r = members_add_replica(all, old->m, old->name, old->url);
	members_set_string(&r->host, old->host);
	copy_history(r, old);
	if (!lost)
		r->failures = old->failures + 1;
	snprintf(r->reason, sizeof r->reason, "%s", old->reason);
	return r;
}

struct replica *members_upsert_replica(
    struct members *all, struct member *m, const struct hello *h, bool *fresh)
{
	struct replica **at = &m->state->replicas;
	int n = 0;

	for (; *at && strcmp((*at)->name, h->replica); at = &(*at)->next)
		n++;
	if (*at && !strcmp((*at)->url, h->endpoint)) {
		if (!is_stuck(*at))
			return *at;
		log_info("member.reconnect", "repo=%s replica=%s failures=%d", m->repo_uri,
		    log_quote((*at)->name), (*at)->failures);
		return redial(all, at);
	}
	*fresh = true;
	struct replica *old = *at;
	if (old)
		members_retire(all, at);
	else if (n >= REPLICAS_MAX)	/* make room: retire the oldest */
		members_retire(all, &m->state->replicas);
	struct replica *r = members_add_replica(all, m, h->replica, h->endpoint);
	if (old)
		copy_history(r, old);
	return r;
}

/* Call with the lock held.  Takes a retired shard that nothing uses any more off the list. */
static struct replica *take_unused(struct members *all)
{
	struct replica **at = &all->retired;

	while (*at && (*at)->refs)
		at = &(*at)->next;
	struct replica *r = *at;
	if (r)
		*at = r->next;
	return r;
}

/* Frees retired shards. */
static void sweep(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	for (struct replica *r; (r = take_unused(all));) {
		pthread_mutex_unlock(&all->lock);	/* closing a connection may take a while */
		wire_peer_free(r->peer);
		members_replica_free(r);
		pthread_mutex_lock(&all->lock);
	}
	pthread_mutex_unlock(&all->lock);
}

/* Whether the connection to the shard is to be closed until the shard announces itself again. */
static bool is_down_for_long(const struct replica *r, int64_t now)
{
	if (!r->peer || r->named || r->refs || r->health != DOWN)
		return false;
	return now - r->down_since > REST_AFTER_MS && now - r->dialled > TRY_MS;
}

/* Call with the lock held.  Takes the connection of a shard that is down for long, or NULL. */
static struct wire_peer *take_resting(struct member *m, int64_t now)
{
	for (struct replica *r = m->state->replicas; r; r = r->next)
		if (is_down_for_long(r, now)) {
			struct wire_peer *p = r->peer;
			r->peer = NULL;
			return p;
		}
	return NULL;
}

/*
 * Call with the lock held.  A shard that announces itself to another coordinator only does not
 * tell us when it is back, so it is tried now and then.
 */
static void try_resting(struct members *all, struct member *m, int64_t now)
{
	for (struct replica **at = &m->state->replicas; *at; at = &(*at)->next) {
		const struct replica *r = *at;
		if (r->peer || r->announces || now - r->dialled < TRY_AFTER_MS)
			continue;
		int64_t down_since = r->down_since;
		redial(all, at)->down_since = down_since;
		return;
	}
}

/* Treats the i-th member; false if there are no more. */
static bool rest_member(struct members *all, size_t i, int64_t now)
{
	struct wire_peer *p;

	pthread_mutex_lock(&all->lock);
	if (i >= map_len(all->by_uri)) {
		pthread_mutex_unlock(&all->lock);
		return false;
	}
	struct member *m = map_val(all->by_uri, i);
	while ((p = take_resting(m, now))) {
		pthread_mutex_unlock(&all->lock);	/* closing a connection may take a while */
		wire_peer_free(p);
		pthread_mutex_lock(&all->lock);
	}
	if (*all->in.o->registry)
		try_resting(all, m, now);
	pthread_mutex_unlock(&all->lock);
	return true;
}

/* Dialling for ever costs nng's timers more than a healthy connection does. */
static void rest(struct members *all)
{
	int64_t now = clock_ms();
	size_t i = 0;

	while (rest_member(all, i, now))
		i++;
}

void connections_tick(struct members *all)
{
	sweep(all);
	rest(all);
}
