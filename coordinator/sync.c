#include "coordinator/sync.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/caller.h"
#include "coordinator/coordinator.h"
#include "coordinator/fanout.h"
#include "coordinator/groups.h"
#include "coordinator/links.h"
#include "coordinator/match.h"
#include "coordinator/members.h"
#include "coordinator/tables.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/codec.h"

enum { PAGE = 2000, TRIES = 3, HEALTH_MS = 2000 };

/* A member's part of the work. */
struct part {
	struct member *member;
	const char *stored, *version;	/* of the facts at hand, of the index; NULL: none */
	const struct contracts_res *facts;
	struct asked asked;		/* for the coverage: its last failure or stamp */
	struct contracts_req req;
	bool fetching;
	int tries;
	struct { struct fact *v; size_t n; } got;
	t_strs names;
};

const char *sync_version(uint64_t generation, const char *commit, struct arena *a)
{
	return arena_printf(a, "%llu %s", (unsigned long long)generation, commit ? commit : "");
}

/* ---- rows ---- */

static void add_row(struct table_rows *t, const char *list, const struct record *rec, const void *row, struct arena *a)
{
	struct buf b = { 0 };

	codec_put(rec, row, &b);
	t->v = grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct table_row){ list, { arena_strn(a, b.p, b.n), b.n } };
	buf_free(&b);
}

static void make_rows(struct call *c, struct sync *s, struct table_rows *contracts, struct table_rows *links)
{
	struct match_member *m = arena_many(c->a, s->members.n, struct match_member);
	struct matched out;
	size_t n;

	for (size_t i = 0; i < s->members.n; i++)
		m[i] = (struct match_member){ s->parts[i].member->repo_uri, s->parts[i].member->name, s->parts[i].facts };
	match(m, s->members.n, c->a, &out);
	for (size_t i = 0; i < out.contracts.n; i++)
		add_row(contracts, "contract", &rec_contract, &out.contracts.v[i], c->a);
	for (size_t i = 0; i < out.unresolved.n; i++)
		add_row(contracts, "unresolved", &rec_unresolved, &out.unresolved.v[i], c->a);
	for (size_t i = 0; i < out.idle.n; i++)
		add_row(contracts, "idle", &rec_idle_producer, &out.idle.v[i], c->a);
	struct link *v = links_of(&out, c->a, &n);
	for (size_t i = 0; i < n; i++)
		add_row(links, NULL, &rec_link, &v[i], c->a);
	match_done(&out);
}

static int write_tables(struct call *c, struct sync *s)
{
	struct table_rows contracts = { 0 }, links = { 0 };
	struct synced *synced = arena_many(c->a, s->members.n, struct synced);
	char now[CLOCK_ISO];

	make_rows(c, s, &contracts, &links);
	for (size_t i = 0; i < s->members.n; i++)
		synced[i] = (struct synced){ s->parts[i].member->repo_uri, s->parts[i].stored };
	clock_iso(now);
	int rc = tables_put(c->co->registry, s->group, &contracts, &links, synced, s->members.n, now, &s->changed, &c->e);
	s->contracts = contracts.n;
	s->links = links.n;
	s->synced_at = arena_str(c->a, now);
	free(contracts.v);
	free(links.v);
	return rc;
}

/* Facts that were fetched are kept; the others come from the registry. */
static int settle(struct call *c, struct part *p)
{
	struct contracts_res *r = arena_one(c->a, struct contracts_res);
	struct bytes body;

	p->facts = r;
	if (p->version && p->got.v) {
		struct buf b = { 0 };
		r->facts.v = p->got.v;
		r->facts.n = p->got.n;
		r->total = p->got.n;
		r->names = p->names;
		codec_put(&rec_contracts_res, r, &b);
		int rc = tables_facts_put(c->co->registry, p->member->repo_uri, p->version, (struct bytes){ b.p, b.n }, &c->e);
		buf_free(&b);
		p->stored = p->version;
		return rc;
	}
	if (tables_facts_get(c->co->registry, p->member->repo_uri, &p->stored, &body, c->a, &c->e))
		return -1;
	return p->stored ? codec_get(&rec_contracts_res, r, body.p, body.n, c->a, &c->e) : 0;
}

static void build(struct call *c, struct sync *s)
{
	struct fanout all = { .v = arena_many(c->a, s->members.n, struct asked) };
	int rc = 0;

	for (size_t i = 0; i < s->members.n && !rc; i++) {
		rc = settle(c, &s->parts[i]);
		if (caller_sees(c->caller, s->parts[i].member->repo_uri))
			all.v[all.n++] = s->parts[i].asked;
	}
	if (!rc)
		rc = write_tables(c, s);
	if (!rc)
		s->complete = fanout_coverage(c, (struct fanout *[]){ &all }, 1, &s->coverage);
	s->then(c, s);
}

/* ---- facts, page by page ---- */

static void fetch(struct call *, struct sync *);

static void append(struct part *p, const struct contracts_res *r, struct arena *a)
{
	struct fact *v = arena_many(a, p->got.n + r->facts.n + 1, struct fact);

	if (p->got.n)
		memcpy(v, p->got.v, p->got.n * sizeof *v);
	if (r->facts.n)
		memcpy(v + p->got.n, r->facts.v, r->facts.n * sizeof *v);
	p->got.v = v;
	p->got.n += r->facts.n;
	if (r->names.n)
		p->names = r->names;
}

static void restart(struct part *p)
{
	p->got.v = NULL;
	p->got.n = 0;
	p->req.after = 0;
	p->version = NULL;
}

static void take_page(struct call *c, struct part *p, const struct asked *k)
{
	const struct contracts_res *r = k->res;
	const struct freshness *f = k->stamp;

	p->asked = *k;
	if (k->e.code) {
		restart(p);
		p->fetching = false;
		return;
	}
	const char *version = sync_version(f ? f->generation : 0, f ? f->commit : NULL, c->a);
	if (p->req.after && strcmp(version, p->version)) {	/* a new index was published between two pages */
		restart(p);
		p->fetching = ++p->tries < TRIES;
		if (!p->fetching)
			err_set(&p->asked.e, ERR_UNAVAILABLE, "its index changes faster than it can be read");
		return;
	}
	p->version = version;
	append(p, r, c->a);
	p->fetching = r->next > p->req.after;
	p->req.after = r->next;
}

static void with_pages(struct call *c, struct fanout *f)
{
	struct sync *s = c->state;
	size_t k = 0;

	for (size_t i = 0; i < s->members.n; i++)
		if (s->parts[i].fetching)
			take_page(c, &s->parts[i], &f->v[k++]);
	fetch(c, s);
}

static void fetch(struct call *c, struct sync *s)
{
	struct member **m = arena_many(c->a, s->members.n, struct member *);
	const void **reqs = arena_many(c->a, s->members.n, const void *);
	size_t n = 0;

	for (size_t i = 0; i < s->members.n; i++)
		if (s->parts[i].fetching) {
			m[n] = s->parts[i].member;
			reqs[n++] = &s->parts[i].req;
		}
	if (!n)
		build(c, s);
	else
		fanout(c, m, n, RPC_contracts, NULL, reqs, (int)c->co->o.contracts_deadline_ms, with_pages);
}

/* ---- who has changed? ---- */

static int compare_versions(struct call *c, struct part *p, const struct asked *k)
{
	const struct health_res *h = k->res;
	struct bytes body;

	p->member = k->member;
	p->asked = *k;
	p->req.limit = PAGE;
	if (k->e.code)
		return 0;
	if (!h->generation) {
		err_set(&p->asked.e, ERR_NO_INDEX, "%s has no index yet", p->member->name);
		return 0;
	}
	if (tables_facts_get(c->co->registry, p->member->repo_uri, &p->stored, &body, c->a, &c->e))
		return -1;
	p->fetching = !p->stored || strcmp(p->stored, sync_version(h->generation, h->commit, c->a)) != 0;
	return 0;
}

static void with_health(struct call *c, struct fanout *f)
{
	struct sync *s = c->state;

	for (size_t i = 0; i < f->n; i++)
		if (compare_versions(c, &s->parts[i], &f->v[i])) {
			s->then(c, s);
			return;
		}
	fetch(c, s);
}

/* All members of a group: its tables are one for every caller. */
static int everybody(struct call *c, const char *group, struct picked *p)
{
	struct group_row g;

	if (groups_get(c->co->registry, group, &g, c->a, &c->e))
		return -1;
	p->v = arena_many(c->a, g.members.n, struct member *);
	for (size_t i = 0; i < g.members.n; i++) {
		struct member *m = members_get(c->co->members, &caller_local, g.members.v[i]);
		if (m)
			p->v[p->n++] = m;
	}
	return 0;
}

void sync_run(struct call *c, const char *group, void (*then)(struct call *, struct sync *))
{
	static const struct nothing nothing;
	struct sync *s = arena_one(c->a, struct sync);

	s->group = group;
	s->then = then;
	s->outer = c->state;
	c->state = s;
	if (everybody(c, group, &s->members)) {
		then(c, s);
		return;
	}
	s->parts = arena_many(c->a, s->members.n, struct part);
	fanout(c, s->members.v, s->members.n, RPC_health, &nothing, NULL, HEALTH_MS, with_health);
}
