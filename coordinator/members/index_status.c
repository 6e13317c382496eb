/*
 * What shards report about their indexes, and what is shown of it: the last report of the shard
 * that speaks for its repository now.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "coordinator/members/term_statistics.h"
#include "proto/record/codec.h"

/* Replaces the stamp; an empty one does not replace that of an earlier index. */
static bool put_stamp(struct index_status *s, const char *stamp, size_t n)
{
	if (!n || (n == s->stamp.n && !memcmp(stamp, s->stamp.p, n)))
		return false;
	s->stamp.n = 0;
	buf_put(&s->stamp, stamp, n);
	return true;
}

void members_copy_text(char *out, size_t size, const char *s)
{
	*out = 0;
	if (s)
		snprintf(out, size, "%s", s);
}

/* The values of the registry's column; anything else is ignored. */
static bool is_status(const char *s)
{
	static const char *const words[] = { "pending", "building", "ready", "failed" };

	for (size_t i = 0; i < LEN(words); i++)
		if (!strcmp(words[i], s))
			return true;
	return false;
}

void index_status_update(struct replica *r, const struct health_res *h, const struct freshness *f)
{
	struct index_status *s = &r->reported;
	struct buf stamp = { 0 };

	s->number = ++r->all->reported;
	s->generation = h->generation;
	s->queued = h->queued;
	s->shed = h->shed;
	s->refused = h->refused;
	s->behind = -1;
	s->index = 0;
	s->gaps = f && f->gaps.n;
	if (f) {
		s->behind = f->behind;
		s->index = members_index_id(f);
		codec_put(&rec_freshness, f, &stamp);
	}
	s->amount = (struct progress_amount){ h->done, h->total, h->bytes_done, h->bytes_total };
	members_copy_text(s->commit, sizeof s->commit, h->commit);
	members_copy_text(s->phase, sizeof s->phase, h->phase);
	members_copy_text(s->vectors, sizeof s->vectors, h->vectors);
	if (is_status(h->status))
		members_copy_text(s->status, sizeof s->status, h->status);
	const char *vectors_error = h->vectors_reason;
	if (vectors_error && !*vectors_error)
		vectors_error = NULL;
	members_set_string(&s->vectors_error, vectors_error);
	members_set_string(&s->sandbox, h->sandbox);
	members_set_string(&s->sandbox_missing, h->sandbox_lacks);
	put_stamp(s, stamp.p, stamp.n);
	buf_free(&stamp);
	r->secrets.n = 0;
	if (h->secrets)
		codec_put(&rec_secrets, h->secrets, &r->secrets);
}

void members_take_health(struct members *all, const struct member *m, const struct health_res *h,
    const struct freshness *f)
{
	if (f && *f->repo_uri && strcmp(f->repo_uri, m->repo_uri))
		return;		/* another repository answers at its address; a probe judges that */
	pthread_mutex_lock(&all->lock);
	struct replica *only = m->state->replicas;
	if (only && !only->next) {
		bool moved = h->generation != only->reported.generation;
		index_status_update(only, h, f);
		if (moved) {	/* a probe takes note of everything else that a new index changes */
			only->next_probe = 1;
			all->wake_early = true;
			pthread_cond_signal(&all->wake);
		}
	}
	pthread_mutex_unlock(&all->lock);
}

void index_status_set_generation(struct replica *r, uint64_t generation)
{
	struct index_status *s = &r->reported;

	if (!s->number || !generation || s->generation == generation)
		return;
	s->number = ++r->all->reported;
	s->generation = generation;
	s->index = 0;
}

/*
 * Whether generations were counted from the start again, perhaps by another shard, so that a number
 * now means another index.
 */
static bool has_restarted(const struct index_status *old, const struct index_status *now)
{
	if (now->generation != old->generation)
		return now->generation < old->generation;
	return old->index && now->index != old->index;
}

static void adopt(const struct member *m, const struct replica *r)
{
	struct member_state *s = m->state;
	struct index_status *to = &s->reported, old = *to;

	*to = r->reported;
	to->stamp = old.stamp;
	to->vectors_error = old.vectors_error;
	to->sandbox = old.sandbox;
	to->sandbox_missing = old.sandbox_missing;
	members_set_string(&to->vectors_error, r->reported.vectors_error);
	members_set_string(&to->sandbox, r->reported.sandbox);
	members_set_string(&to->sandbox_missing, r->reported.sandbox_missing);
	if (put_stamp(to, r->reported.stamp.p, r->reported.stamp.n) || strcmp(to->status, old.status))
		members_mark_dirty(r->all, s);
	if (has_restarted(&old, to)) {
		stats_invalidate_sketch(r->all->in.stats, m);
		s->sketched = 0;
	}
}

const struct index_status *members_index_status(const struct member *m)
{
	const struct replica *r = members_primary_replica(m->state);

	if (r && r->reported.number && r->reported.number != m->state->reported.number)
		adopt(m, r);
	return &m->state->reported;
}

bool index_status_has_counts(const struct member_state *s)
{
	const struct index_status *now = &s->reported;

	if (!now->generation || s->counted.generation != now->generation)
		return false;
	return !now->index || s->counted.index == now->index;
}

void index_status_reset(struct index_status *s)
{
	buf_free(&s->stamp);
	free(s->vectors_error);
	free(s->sandbox);
	free(s->sandbox_missing);
	*s = (struct index_status){ .status = "pending", .behind = -1 };
}
