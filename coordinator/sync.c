#include "coordinator/sync.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/caller.h"
#include "coordinator/coordinator.h"
#include "coordinator/fanout.h"
#include "coordinator/groups.h"
#include "coordinator/links.h"
#include "coordinator/match.h"
#include "coordinator/members.h"
#include "coordinator/routing.h"
#include "coordinator/tables.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/pool.h"
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
	struct { struct package *v; size_t n; } packages;
	t_strs names;
};

const char *sync_version(uint64_t generation, const char *commit, struct arena *a)
{
	return arena_printf(a, "%llu %s", (unsigned long long)generation, commit ? commit : "");
}

/* ---- one at a time ---- */

struct syncs {
	pthread_mutex_t lock;
	struct sync *running;	/* one of each group, linked by `next`; those that wait for it by `waiting` */
};

struct syncs *syncs_new(void)
{
	struct syncs *all = calloc(1, sizeof *all);

	if (!all)
		abort();
	pthread_mutex_init(&all->lock, NULL);
	return all;
}

void syncs_free(struct syncs *all)
{
	if (!all)
		return;
	pthread_mutex_destroy(&all->lock);
	free(all);
}

static void begin(void *arg);

/* With the lock held: where the running one of the group is linked. */
static struct sync **running(struct syncs *all, const char *group)
{
	struct sync **at = &all->running;

	while (*at && strcmp((*at)->group, group))
		at = &(*at)->next;
	return at;
}

/* Whether it may run now; else it will when those before it are through. */
static bool enter(struct call *c, struct sync *s)
{
	struct syncs *all = c->co->syncs;

	pthread_mutex_lock(&all->lock);
	struct sync **at = running(all, s->group);
	bool first = !*at;
	while (*at)
		at = &(*at)->waiting;
	*at = s;
	pthread_mutex_unlock(&all->lock);
	return first;
}

/* It is through, and the next of its group may begin. */
static void leave(struct call *c)
{
	struct syncs *all = c->co->syncs;
	struct sync *s = c->leaving, *next;

	c->leave = NULL;
	pthread_mutex_lock(&all->lock);
	struct sync **at = running(all, s->group);
	if ((next = s->waiting))
		next->next = s->next;
	*at = next ? next : s->next;
	pthread_mutex_unlock(&all->lock);
	if (next && pool_run(c->co->pool, begin, next)) {
		err_set(&next->call->e, ERR_RATE_LIMITED, "more requests are waiting than this coordinator takes on");
		call_end(next->call);
	}
}

static void finish(struct call *c, struct sync *s)
{
	leave(c);
	s->then(c, s);
}

/* ---- rows ---- */

static void add_row(struct table_rows *t, struct table_row row, const struct record *rec, const void *r, struct arena *a)
{
	struct buf b = { 0 };

	codec_put(rec, r, &b);
	row.row = (struct bytes){ arena_strn(a, b.p, b.n), b.n };
	t->v = grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = row;
	buf_free(&b);
}

static void contract_rows(const struct matched *m, struct table_rows *out, struct arena *a)
{
	for (size_t i = 0; i < m->contracts.n; i++) {
		const struct contract *x = &m->contracts.v[i];
		add_row(out, (struct table_row){ .list = "contract", .what = x->kind, .producer = x->producer,
		    .consumer = x->consumer }, &rec_contract, x, a);
	}
	for (size_t i = 0; i < m->unresolved.n; i++) {
		const struct unresolved *x = &m->unresolved.v[i];
		add_row(out, (struct table_row){ .list = "unresolved", .what = x->kind, .consumer = x->consumer,
		    .reason = x->reason }, &rec_unresolved, x, a);
	}
	for (size_t i = 0; i < m->idle.n; i++) {
		const struct idle_producer *x = &m->idle.v[i];
		add_row(out, (struct table_row){ .list = "idle", .what = x->kind, .producer = x->producer }, &rec_idle_producer, x,
		    a);
	}
}

static void link_rows(const struct matched *m, const struct match_member *members, size_t n_members, struct table_rows *out, struct arena *a)
{
	size_t n;
	struct link *v = links_of(m, members, n_members, a, &n);

	for (size_t i = 0; i < n; i++) {
		struct end *ends = arena_many(a, 2, struct end);
		ends[0].repo_uri = v[i].target_repo_uri;
		ends[1].repo_uri = v[i].source_repo_uri;
		add_row(out, (struct table_row){ .what = v[i].relation, .producer = &ends[0], .consumer = &ends[1] }, &rec_link,
		    &v[i], a);
	}
}

static int make_rows(struct call *c, struct sync *s, struct table_rows *contracts, struct table_rows *links)
{
	struct match_member *m = arena_many(c->a, s->members.n + 1, struct match_member);
	size_t n = s->members.n;
	struct routing routing;
	struct matched out;

	if (routing_read(c->co->o.routing, c->a, &routing, &c->e))
		return -1;
	for (size_t i = 0; i < n; i++)
		m[i] = (struct match_member){ s->parts[i].member->repo_uri, s->parts[i].member->name, s->parts[i].facts };
	routing_apply(&routing, m, &n, c->a);
	match(m, n, c->a, &out);
	contract_rows(&out, contracts, c->a);
	link_rows(&out, m, s->members.n, links, c->a);
	match_done(&out);
	return 0;
}

static int write_tables(struct call *c, struct sync *s)
{
	struct table_rows contracts = { 0 }, links = { 0 };
	struct synced *synced = arena_many(c->a, s->members.n, struct synced);
	char now[CLOCK_ISO];

	if (make_rows(c, s, &contracts, &links))
		return -1;
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

/* The facts that were fetched, kept unless another sync has kept newer ones. */
static int keep(struct call *c, struct part *p, struct contracts_res *r, bool *kept)
{
	struct buf b = { 0 };

	r->facts.v = p->got.v;
	r->facts.n = p->got.n;
	r->total = p->got.n;
	r->packages.v = p->packages.v;
	r->packages.n = r->total_packages = p->packages.n;
	r->names = p->names;
	codec_put(&rec_contracts_res, r, &b);
	int rc = tables_facts_put(c->co->registry, p->member->repo_uri, p->stored, p->version, (struct bytes){ b.p, b.n }, kept,
	    &c->e);
	buf_free(&b);
	return rc;
}

/* Facts that were fetched, else those of the registry. */
static int settle(struct call *c, struct part *p)
{
	struct contracts_res *r = arena_one(c->a, struct contracts_res);
	struct bytes body;
	bool kept = false;

	p->facts = r;
	if (p->version && p->got.v && keep(c, p, r, &kept))
		return -1;
	if (kept) {
		p->stored = p->version;
		return 0;
	}
	*r = (struct contracts_res){ 0 };
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
	finish(c, s);
}

/* ---- facts, page by page ---- */

static void fetch(struct call *, struct sync *);

static void append(struct part *p, const struct contracts_res *r, struct arena *a)
{
	struct fact *v = arena_many(a, p->got.n + r->facts.n + 1, struct fact);
	struct package *w = arena_many(a, p->packages.n + r->packages.n + 1, struct package);

	if (p->got.n)
		memcpy(v, p->got.v, p->got.n * sizeof *v);
	if (r->facts.n)
		memcpy(v + p->got.n, r->facts.v, r->facts.n * sizeof *v);
	if (p->packages.n)
		memcpy(w, p->packages.v, p->packages.n * sizeof *w);
	if (r->packages.n)
		memcpy(w + p->packages.n, r->packages.v, r->packages.n * sizeof *w);
	p->got.v = v;
	p->got.n += r->facts.n;
	p->packages.v = w;
	p->packages.n += r->packages.n;
	if (r->names.n)
		p->names = r->names;
}

static void restart(struct part *p)
{
	p->got.v = NULL;
	p->got.n = p->packages.n = 0;
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
	if (!p->fetching && (p->got.n != r->total || p->packages.n != r->total_packages)) {
		err_set(&p->asked.e, ERR_DB_ERROR, "it sent %zu of %llu facts", p->got.n + p->packages.n,
		    (unsigned long long)(r->total + r->total_packages));
		restart(p);
	}
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
			finish(c, s);
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

static void begin(void *arg)
{
	static const struct nothing nothing;
	struct sync *s = arg;
	struct call *c = s->call;

	c->leave = leave;
	c->leaving = s;
	if (everybody(c, s->group, &s->members)) {
		finish(c, s);
		return;
	}
	s->parts = arena_many(c->a, s->members.n, struct part);
	fanout(c, s->members.v, s->members.n, RPC_health, &nothing, NULL, HEALTH_MS, with_health);
}

void sync_run(struct call *c, const char *group, void (*then)(struct call *, struct sync *))
{
	struct sync *s = arena_one(c->a, struct sync);

	s->group = group;
	s->call = c;
	s->then = then;
	s->outer = c->state;
	c->state = s;
	if (enter(c, s))
		begin(s);
}
