/*
 * What shards say of their indexes, and what of that is shown: the words of the one that speaks for its repository, whoever that is
 * by now.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members_internal.h"
#include "coordinator/members/term_statistics.h"
#include "proto/record/codec.h"

/* The stamp of an index that was there before stays. */
static bool put_stamp(struct said *s, const char *stamp, size_t n)
{
	if (!n || (n == s->stamp.n && !memcmp(stamp, s->stamp.p, n)))
		return false;
	s->stamp.n = 0;
	buf_put(&s->stamp, stamp, n);
	return true;
}

static void copy(char *out, size_t size, const char *s)
{
	snprintf(out, size, "%s", s ? s : "");
}

/* The registry has a column of these words. */
static bool is_status(const char *s)
{
	static const char *const words[] = { "pending", "building", "ready", "failed" };

	for (size_t i = 0; i < LEN(words); i++)
		if (!strcmp(words[i], s))
			return true;
	return false;
}

void said_note(struct replica *r, const struct health_res *h, const struct freshness *f)
{
	struct said *s = &r->said;
	struct buf stamp = { 0 };

	s->number = ++r->all->said;
	s->generation = h->generation;
	s->queued = h->queued;
	s->shed = h->shed;
	s->refused = h->refused;
	s->behind = f ? f->behind : -1;
	s->index = f ? members_index(f) : 0;
	s->amount = (struct amount){ h->done, h->total, h->bytes_done, h->bytes_total };
	copy(s->commit, sizeof s->commit, h->commit);
	copy(s->phase, sizeof s->phase, h->phase);
	copy(s->vectors, sizeof s->vectors, h->vectors);
	if (is_status(h->status))
		copy(s->status, sizeof s->status, h->status);
	members_set(&s->unvectored, h->vectors_reason && *h->vectors_reason ? h->vectors_reason : NULL);
	members_set(&s->sandbox, h->sandbox);
	members_set(&s->unconfined, h->sandbox_lacks);
	if (f)
		codec_put(&rec_freshness, f, &stamp);
	put_stamp(s, stamp.p, stamp.n);
	buf_free(&stamp);
	r->secrets.n = 0;
	if (h->secrets)
		codec_put(&rec_secrets, h->secrets, &r->secrets);
}

void said_generation(struct replica *r, uint64_t generation)
{
	struct said *s = &r->said;

	if (!s->number || !generation || s->generation == generation)
		return;
	s->number = ++r->all->said;
	s->generation = generation;
	s->index = 0;
}

/* Numbers began anew, be it with another shard: what is known of a number is of another index. */
static bool began_anew(const struct said *old, const struct said *now)
{
	return now->generation < old->generation || (now->generation == old->generation && old->index && now->index != old->index);
}

static void adopt(const struct member *m, const struct replica *r)
{
	struct member_state *s = m->own;
	struct said *to = &s->said, old = *to;

	*to = r->said;
	to->stamp = old.stamp;
	to->unvectored = old.unvectored;
	to->sandbox = old.sandbox;
	to->unconfined = old.unconfined;
	members_set(&to->unvectored, r->said.unvectored);
	members_set(&to->sandbox, r->said.sandbox);
	members_set(&to->unconfined, r->said.unconfined);
	if (put_stamp(to, r->said.stamp.p, r->said.stamp.n) || strcmp(to->status, old.status))
		members_change(r->all, s);
	if (began_anew(&old, to)) {
		stats_unsettle(r->all->in.stats, m);
		s->sketched = 0;
	}
}

const struct said *members_said(const struct member *m)
{
	const struct replica *r = members_speaker(m->own);

	if (r && r->said.number && r->said.number != m->own->said.number)
		adopt(m, r);
	return &m->own->said;
}

bool said_counted(const struct member_state *s)
{
	const struct said *now = &s->said;

	return now->generation && s->counted.generation == now->generation && (!now->index || s->counted.index == now->index);
}

void said_free(struct said *s)
{
	buf_free(&s->stamp);
	free(s->unvectored);
	free(s->sandbox);
	free(s->unconfined);
	*s = (struct said){ .status = "pending", .behind = -1 };
}
