/* Groups: listing, the state of their members, administration. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/fanout.h"
#include "coordinator/calls/partial_answers.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/declaration_notes.h"
#include "coordinator/contracts/group_sync.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"

void tool_group_list(struct call *c)
{
	struct group_list_out *out = c->out;

	view_groups(c, &out->groups.v, &out->groups.n);
	call_end(c);
}

/* ---- status ---- */

enum { HEALTH_MS = 1000 };

/* Show a member's shards if it has several. */
static void put_shards(struct call *c, const struct member *m, struct member_status *r)
{
	size_t n;
	const struct shard_view *v = members_shards(c->members, m, &n, c->a);

	if (n < 2)
		return;
	r->shards.v = arena_many(c->a, n, struct shard_row);
	r->shards.n = n;
	for (size_t i = 0; i < n; i++)
		r->shards.v[i] = (struct shard_row){
			.replica = v[i].name,
			.host = v[i].host,
			.health = health_name(v[i].health),
			.reason = v[i].reason,
			.since = view_time(v[i].since, c->a),
			.commit = v[i].commit,
			.generation = v[i].generation,
			.behind = v[i].behind,
			.conflict = v[i].apart,
		};
}

static void set_stamp(struct member_status *r, const struct freshness *f)
{
	r->staleness_lag_commits = -1;
	if (!f)
		return;
	r->generation = f->generation;
	r->indexed_at = f->indexed_at;
	r->graph_hash = f->graph_hash;
	r->commit = f->commit;
	r->staleness_lag_commits = f->behind;
	r->gaps.v = f->gaps.v;
	r->gaps.n = f->gaps.n;
	r->checked_at = f->checked_at;
}

/* What a shard has just answered, except the state of its index, which is the same in all tools. */
static void set_health(struct member_status *r, const struct health_res *h)
{
	if (h->vectors)
		r->vectors = h->vectors;
	r->vectors_done = h->vectors_done;
	r->vectors_total = h->vectors_total;
	r->vectors_reason = h->vectors_reason;
	r->done = h->done;
	r->total = h->total;
}

static void set_failure(struct call *c, struct member_status *r, bool was_healthy, const char *why)
{
	if (was_healthy) {
		r->health = health_name(DEGRADED);
		r->since = view_time(clock_real_ms(), c->a);
	}
	if (r->staleness_lag_commits >= 0)	/* it does not answer, so its last count means nothing now */
		r->checked_at = r->since;
	r->staleness_lag_commits = -1;
	r->reason = arena_str(c->a, why);
}

/* The last known state of a member, updated by its shard's answer. */
static void member_status(struct call *c, const struct fanout_reply *k, struct member_status *r)
{
	struct member_view v;

	if (!k->e.code)
		members_take_health(c->members, k->member, k->res, k->stamp);
	members_view(c->members, k->member, &v, c->a);
	*r = (struct member_status){
		.repo_uri = k->member->repo_uri,
		.name = k->member->name,
		.status = v.status,
		.vectors = v.vectors,
		.health = health_name(v.health),
		.reason = v.reason,
		.since = view_time(v.since, c->a),
		.conflict = v.conflict,
		.atoll_yaml = view_atoll_yaml_fault(&v.counts),
		.files = v.counts.files,
		.symbols = v.counts.symbols,
		.done = v.amount.done,
		.total = v.amount.total,
	};
	r->skipped.v = v.counts.skipped.v;
	r->skipped.n = v.counts.skipped.n;
	r->quarantined = v.counts.quarantined;
	set_stamp(r, k->stamp ? k->stamp : v.stamp);
	put_shards(c, k->member, r);
	if (k->e.code)
		set_failure(c, r, v.health == HEALTHY, k->e.msg);
	else
		set_health(r, k->res);
}

/* Whether the group's tables hold the facts of a member's present index. */
static const char *contracts_of(const struct call *c, const struct tables_info *t,
    const struct member *m, const struct member_status *r)
{
	const struct freshness f = {
		.generation = r->generation, .commit = r->commit, .graph_hash = r->graph_hash
	};
	size_t i = 0;

	while (i < t->nmembers && strcmp(t->members[i].repo_uri, r->repo_uri))
		i++;
	if (i == t->nmembers || !t->members[i].version || !t->synced_at)
		return "none";
	if (strcmp(t->members[i].version, group_sync_version(c->members, m, &f, c->a)))
		return "stale";
	return "current";
}

static void with_health(struct call *c, struct fanout *f)
{
	struct group_status_out *out = c->out;
	const struct tables_info *t = c->state;

	out->repos.n = f->n;
	out->repos.v = arena_many(c->a, f->n, struct member_status);
	out->contracts_current = t->synced_at && t->origin.rules == MATCH_RULES;
	for (size_t i = 0; i < f->n; i++) {
		struct member_status *r = &out->repos.v[i];
		member_status(c, &f->v[i], r);
		partial_note(c, f->v[i].member, f->v[i].stamp, RPC_search);	/* all that a search lacks */
		view_indexing(c, f->v[i].member, r->status, &r->indexing);
		r->contracts = contracts_of(c, t, f->v[i].member, r);
		if (strcmp(r->contracts, "current"))
			out->contracts_current = false;
	}
	out->complete = fanout_coverage(c, &f, 1, &out->coverage);
	out->took_ms = view_elapsed_ms(c);
	call_end(c);
}

static int by_uri(const void *x, const void *y)
{
	const struct member *a = *(struct member *const *)x, *b = *(struct member *const *)y;

	return strcmp(a->repo_uri, b->repo_uri);
}

void tool_group_status(struct call *c)
{
	static const struct nothing nothing;
	const struct group_in *in = c->in;
	struct group_status_out *out = c->out;
	struct scoped_tables *s = arena_one(c->a, struct scoped_tables);
	struct resolved_repos p;

	out->group = in->group;
	if (resolve_group(c, in->group, &p) || scoped_tables_refresh(c, in->group, s)) {
		call_end(c);
		return;
	}
	out->contracts_synced_at = s->t.synced_at;
	if (declaration_notes_read(c, s->t.origin.notes, &out->declarations.v, &out->declarations.n)) {
		call_end(c);
		return;
	}
	c->state = &s->t;
	qsort(p.v, p.n, sizeof(struct member *), by_uri);
	fanout(c, p.v, p.n, RPC_health, &nothing, NULL, HEALTH_MS, with_health);
}

/* ---- administration ---- */

static int resolve_uris(struct call *c, const t_strs *repos, const char ***uris)
{
	*uris = arena_many(c->a, repos->n, const char *);
	for (size_t i = 0; i < repos->n; i++) {
		struct member *m = resolve_repo_name(c, repos->v[i]);
		if (!m)
			return -1;
		(*uris)[i] = m->repo_uri;
	}
	return 0;
}

static void answer_group(struct call *c, const char *name)
{
	if (!c->e.code)
		view_group(c, name, c->out);
	call_end(c);
}

void tool_group_create(struct call *c)
{
	const struct group_edit_in *in = c->in;
	const char **uris;

	if (!resolve_uris(c, &in->repos, &uris) &&
	    !groups_create(c->registry, in->group, in->description, &c->e))
		groups_add(c->registry, in->group, uris, in->repos.n, &c->e);
	answer_group(c, in->group);
}

static int edit(struct call *c,
    int (*change)(struct registry *, const char *, const char *const *, size_t, struct err *))
{
	const struct group_edit_in *in = c->in;
	const char **uris;
	struct group_row g;

	if (view_group(c, in->group, &g) || resolve_uris(c, &in->repos, &uris))
		return -1;
	if (!in->repos.n)
		return err_set(&c->e, ERR_INVALID_INPUT, "`repos` is missing: give names or repo_uris");
	return change(c->registry, in->group, uris, in->repos.n, &c->e);
}

void tool_group_add(struct call *c)
{
	edit(c, groups_add);
	answer_group(c, ((const struct group_edit_in *)c->in)->group);
}

void tool_group_remove(struct call *c)
{
	edit(c, groups_remove);
	answer_group(c, ((const struct group_edit_in *)c->in)->group);
}

void tool_group_delete(struct call *c)
{
	const struct group_in *in = c->in;

	if (!view_group(c, in->group, c->out))
		groups_delete(c->registry, in->group, &c->e);
	call_end(c);
}
