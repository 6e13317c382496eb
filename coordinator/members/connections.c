/*
 * To whom there is a connection: a shard that is new, has moved, hangs, was lost, rests, or is
 * needed no more.
 */
#include <stdio.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/wire/wire.h"

enum { REST_AFTER_MS = 60000, TRY_AFTER_MS = 15000, TRY_MS = 3000, PATIENCE_MS = 2000,
    LOST_MS = 500 };

/*
 * Whether a shard that says it is there should be dialled anew: what was dialled waits for its
 * next attempt to connect, or stands but brings no answers.  One that is lost counts before a
 * probe has noticed.  Where there are many a handshake takes its time, and is not begun anew
 * meanwhile.
 */
static bool is_stuck(const struct replica *r)
{
	int64_t now = clock_ms(), interval = r->all->interval, patience = MAX(interval, PATIENCE_MS);
	bool silent = r->failures || (r->probing && now > r->probe_until + PATIENCE_MS);

	if (r->answered && r->peer && !wire_connected(r->peer))
		return now > r->dialled + LOST_MS;
	return r->health == DOWN && (!r->peer || (silent && now > r->dialled + patience));
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

/* What is known of a shard when it is dialled anew or elsewhere: it is the same one. */
static void copy_history(struct replica *r, struct replica *old)
{
	r->since = old->since;
	r->times = old->times;
	r->features = old->features;
	r->features_known = old->features_known;
	r->consistency = old->consistency;
	r->reported = old->reported;		/* with what it points to */
	old->reported = (struct index_status){ 0 };
	memcpy(r->conflict_reason, old->conflict_reason, sizeof r->conflict_reason);
	memcpy(r->compared, old->compared, sizeof r->compared);
	memcpy(r->compared_to, old->compared_to, sizeof r->compared_to);
}

/*
 * A new connection to where `*at` is.  One that was lost is back, as it says itself: when there is
 * nobody better, requests wait for its connection, as with any new one.  One that was silent is
 * not usable before its first answer.
 */
static struct replica *redial(struct members *all, struct replica **at)
{
	struct replica *old = *at, *r;
	bool lost = old->answered && old->peer && !wire_connected(old->peer);

	members_retire(all, at);
	r = members_add_replica(all, old->m, old->name, old->url);
	members_set_string(&r->host, old->host);
	copy_history(r, old);
	if (lost)
		r->failures = 0;
	else
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
	struct replica *old = *at, *r;
	if (old || n >= REPLICAS_MAX)
		members_retire(all, old ? at : &m->state->replicas);	/* without room the oldest goes */
	r = members_add_replica(all, m, h->replica, h->endpoint);
	if (old)
		copy_history(r, old);
	return r;
}

/* Shards whose address is no longer theirs. */
static void sweep(struct members *all)
{
	pthread_mutex_lock(&all->lock);
	struct replica *v = all->retired, *keep = NULL;
	all->retired = NULL;
	for (struct replica *next; v; v = next) {
		next = v->next;
		if (v->refs) {
			v->next = keep;
			keep = v;
			continue;
		}
		pthread_mutex_unlock(&all->lock);
		wire_peer_free(v->peer);
		members_replica_free(v);
		pthread_mutex_lock(&all->lock);
	}
	for (; keep; keep = v) {
		v = keep->next;
		keep->next = all->retired;
		all->retired = keep;
	}
	pthread_mutex_unlock(&all->lock);
}

/*
 * With the lock held: a shard of `m` that has been down for long, and is dialled again when it
 * announces itself.
 */
static struct wire_peer *take_resting(struct member *m, int64_t now)
{
	for (struct replica *r = m->state->replicas; r; r = r->next)
		if (r->peer && !r->named && !r->refs && r->health == DOWN &&
		    now - r->down_since > REST_AFTER_MS && now - r->dialled > TRY_MS) {
			struct wire_peer *p = r->peer;
			r->peer = NULL;
			return p;
		}
	return NULL;
}

/*
 * With the lock held: who announces itself to another coordinator alone says nothing here when it
 * is back, and is tried now and then.
 */
static void try_resting(struct members *all, struct member *m, int64_t now)
{
	struct replica **at = &m->state->replicas;

	while (*at && ((*at)->peer || (*at)->announces || now - (*at)->dialled < TRY_AFTER_MS))
		at = &(*at)->next;
	if (*at) {
		int64_t down_since = (*at)->down_since;
		redial(all, at)->down_since = down_since;
	}
}

/* The i-th member; false: there are no more. */
static bool rest_member(struct members *all, size_t i, int64_t now)
{
	struct wire_peer *p;

	pthread_mutex_lock(&all->lock);
	struct member *m = NULL;
	if (i < map_len(all->by_uri))
		m = map_val(all->by_uri, i);
	while (m && (p = take_resting(m, now))) {
		pthread_mutex_unlock(&all->lock);	/* to end a connection may take a while */
		wire_peer_free(p);
		pthread_mutex_lock(&all->lock);
	}
	if (m && *all->in.o->registry)
		try_resting(all, m, now);
	pthread_mutex_unlock(&all->lock);
	return m;
}

/* Dialling for ever costs nng's timers more than a healthy connection does. */
static void rest(struct members *all)
{
	int64_t now = clock_ms();

	for (size_t i = 0; rest_member(all, i, now); i++)
		continue;
}

void connections_tick(struct members *all)
{
	sweep(all);
	rest(all);
}
