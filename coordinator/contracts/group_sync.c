#include "coordinator/contracts/group_sync.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/partial_answers.h"
#include "coordinator/contracts/contract_tables.h"
#include "coordinator/contracts/contract_tables_build.h"
#include "coordinator/contracts/matching/match.h"
#include "coordinator/contracts/uses_sync.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/optional_text.h"
#include "proto/base/thread_pool.h"
#include "proto/record/codec.h"

enum { PAGE = 2000, TRIES = 3, HEALTH_MS = 2000 };

/* A member's part of the work. */
struct member_sync {
	struct member *member;
	const char *stored, *version;	/* of the stored facts, of the index; NULL if there is none */
	struct contracts_res *facts;
	struct fanout_reply asked;	/* for the coverage: its last failure or stamp */
	struct contracts_req req;
	bool fetching;
	int tries;
	struct { struct fact *v; size_t n; } got;
	struct { struct package *v; size_t n; } packages;
	t_strs names, declared, includes, imports, tags;
	struct {
		struct interface_ref *v;
		size_t n;
	} interfaces;
	const char *uses_problem;	/* why its uses of other members are not known; NULL: they are */
	const char *branch;
};

const char *group_sync_version(
    struct members *all, const struct member *m, const struct freshness *f, struct arena *a)
{
	if (!f)
		return "0 ";
	return arena_printf(a, "%llu %s", (unsigned long long)members_index_number(all, m, f),
	    text_or_empty(f->commit));
}

/* ---- one at a time ---- */

struct group_sync_queue {
	pthread_mutex_t lock;
	/* one for each name of tables, linked by `next`; those that wait for it, by `waiting` */
	struct group_sync *running;
};

struct group_sync_queue *group_sync_queue_new(void)
{
	struct group_sync_queue *all = xcalloc(1, sizeof *all);

	pthread_mutex_init(&all->lock, NULL);
	return all;
}

void group_sync_queue_free(struct group_sync_queue *all)
{
	if (!all)
		return;
	pthread_mutex_destroy(&all->lock);
	free(all);
}

static void begin(void *arg);

/* The link to the running sync of these tables.  The lock is held. */
static struct group_sync **running(struct group_sync_queue *all, const char *key)
{
	struct group_sync **at = &all->running;

	while (*at && strcmp((*at)->key, key))
		at = &(*at)->next;
	return at;
}

/* Whether the sync may run now; if not, it runs when those before it have ended. */
static bool enter(struct call *c, struct group_sync *s)
{
	struct group_sync_queue *all = c->co->group_syncs;

	pthread_mutex_lock(&all->lock);
	struct group_sync **at = running(all, s->key);
	bool first = !*at;
	while (*at)
		at = &(*at)->waiting;
	*at = s;
	pthread_mutex_unlock(&all->lock);
	return first;
}

/* End the running sync and start the next one of the same tables. */
static void leave(struct call *c)
{
	struct group_sync_queue *all = c->co->group_syncs;
	struct group_sync *s = c->on_end_arg, *next;

	c->on_end = NULL;
	pthread_mutex_lock(&all->lock);
	struct group_sync **at = running(all, s->key);
	next = s->waiting;
	if (next) {
		next->next = s->next;
		*at = next;
	} else {
		*at = s->next;
	}
	pthread_mutex_unlock(&all->lock);
	if (next && pool_run(c->co->pool, begin, next)) {
		limits_count_refusal(c->co->limits, LIMITS_QUEUE);
		err_set(&next->call->e, ERR_RATE_LIMITED, "too many requests are waiting");
		call_end(next->call);
	}
}

static void finish(struct call *c, struct group_sync *s)
{
	leave(c);
	s->then(c, s);
}

/* ---- tables ---- */

static int write_tables(struct call *c, struct group_sync *s)
{
	size_t n = s->sight.members.n;
	struct match_member *m = arena_many(c->a, n + 1, struct match_member);
	struct synced_member *synced = arena_many(c->a, n, struct synced_member);

	for (size_t i = 0; i < n; i++) {
		const struct member_sync *p = &s->parts[i];
		m[i] = (struct match_member){ p->member->repo_uri, p->member->name, p->facts };
		synced[i] = (struct synced_member){ p->member->repo_uri, p->stored };
	}
	return scoped_tables_build(c, &s->sight, m, synced, &s->built);
}

/* Store the fetched facts, unless another sync has stored newer ones. */
static int keep(struct call *c, struct member_sync *p, struct contracts_res *r, bool *kept)
{
	struct buf b = { 0 };

	r->facts.v = p->got.v;
	r->facts.n = p->got.n;
	r->total = p->got.n;
	r->packages.v = p->packages.v;
	r->packages.n = r->total_packages = p->packages.n;
	r->names = p->names;
	r->declared = p->declared;
	r->branch = p->branch;
	r->interfaces.v = p->interfaces.v;
	r->interfaces.n = p->interfaces.n;
	r->includes = p->includes;
	r->imports = p->imports;
	r->tags = p->tags;
	codec_put(&rec_contracts_res, r, &b);
	int rc = tables_facts_put(c->registry, p->member->repo_uri, p->stored, p->version,
	    (struct bytes){ b.p, b.n }, kept, &c->e);
	buf_free(&b);
	return rc;
}

/* Use the fetched facts, or else those in the registry. */
static int load_facts(struct call *c, struct member_sync *p)
{
	struct contracts_res *r = arena_one(c->a, struct contracts_res);
	bool kept = false;

	p->facts = r;
	if (p->version && p->got.v && keep(c, p, r, &kept))
		return -1;
	if (kept) {
		p->stored = p->version;
		return 0;
	}
	return tables_facts_read(c->registry, p->member->repo_uri, &p->stored, r, c->a, &c->e);
}

/* Say whose uses of other members are not those of its present index. */
static void note_uses(struct call *c, struct group_sync *s)
{
	struct coverage *cov = s->coverage;

	cov->notes.v = arena_many(c->a, s->sight.members.n + 1, struct member_note);
	for (size_t i = 0; i < s->sight.members.n; i++) {
		const struct member_sync *p = &s->parts[i];
		if (p->uses_problem && !p->asked.e.code)
			cov->notes.v[cov->notes.n++] = (struct member_note){ p->member->repo_uri, "USES",
				arena_printf(
				    c->a, "its uses of other repositories are not known: %s", p->uses_problem) };
	}
}

static void build(struct call *c, struct group_sync *s)
{
	struct fanout all = { .v = arena_many(c->a, s->sight.members.n, struct fanout_reply) };

	for (size_t i = 0; i < s->sight.members.n; i++) {
		all.v[all.n++] = s->parts[i].asked;
		partial_note(c, s->parts[i].member, s->parts[i].asked.stamp, RPC_contracts);
	}
	if (!write_tables(c, s)) {
		s->complete = fanout_coverage(c, (struct fanout *[]){ &all }, 1, &s->coverage);
		note_uses(c, s);
	}
	finish(c, s);
}

/* ---- uses of other members' packages ---- */

static bool same_totals(const struct use_total *a, size_t na, const struct use_total *b, size_t nb)
{
	if (na != nb)
		return false;
	for (size_t i = 0; i < na; i++)
		if (strcmp(a[i].repo_uri, b[i].repo_uri) || a[i].uses != b[i].uses ||
		    a[i].symbols != b[i].symbols)
			return false;
	return true;
}

static bool has_total(const struct contracts_res *facts, const char *repo_uri)
{
	for (size_t i = 0; i < facts->uses.n; i++)
		if (!strcmp(facts->uses.v[i].repo_uri, repo_uri))
			return true;
	return false;
}

/*
 * Set the numbers of uses: those of the answer, or else those known before; and a row without uses
 * for each repository that may be used without anyone knowing, so that it is asked about.
 */
static void set_totals(struct call *c, struct contracts_res *facts, const struct uses_member *u)
{
	size_t n = u->answered ? u->totals.totals.n : facts->uses.n;
	const struct use_total *known = u->answered ? u->totals.totals.v : facts->uses.v;
	struct use_total *v = arena_many(c->a, n + u->unknown.n + 1, struct use_total);

	if (n)
		memcpy(v, known, n * sizeof *v);
	facts->uses.v = v;
	facts->uses.n = n;
	for (size_t i = 0; i < u->unknown.n; i++)
		if (!has_total(facts, u->unknown.v[i]))
			v[facts->uses.n++].repo_uri = u->unknown.v[i];
}

/* Add the numbers of uses to the stored facts of a member. */
static int keep_totals(struct call *c, struct member_sync *p, const struct uses_member *u)
{
	const struct contracts_res before = *p->facts;
	struct buf b = { 0 };
	bool kept;

	if (!p->stored)
		return 0;
	set_totals(c, p->facts, u);
	if (same_totals(before.uses.v, before.uses.n, p->facts->uses.v, p->facts->uses.n))
		return 0;
	codec_put(&rec_contracts_res, p->facts, &b);
	int rc = tables_facts_put(c->registry, p->member->repo_uri, p->stored, p->stored,
	    (struct bytes){ b.p, b.n }, &kept, &c->e);
	buf_free(&b);
	return rc;
}

static void with_uses(struct call *c, void *arg)
{
	struct group_sync *s = c->state;
	const struct uses_member *u = arg;
	int rc = 0;

	for (size_t i = 0; i < s->sight.members.n && !rc; i++) {
		s->parts[i].uses_problem = u[i].problem;
		rc = keep_totals(c, &s->parts[i], &u[i]);
	}
	if (rc)
		finish(c, s);
	else
		build(c, s);
}

/* Only who sees all members hands out interfaces: others would take back those of the rest. */
static void sync_uses(struct call *c, struct group_sync *s)
{
	size_t n = s->sight.members.n;
	struct match_member *m = arena_many(c->a, n + 1, struct match_member);
	struct uses_member *u = arena_many(c->a, n + 1, struct uses_member);
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		struct member_sync *p = &s->parts[i];
		rc = load_facts(c, p);
		m[i] = (struct match_member){ p->member->repo_uri, p->member->name, p->facts };
		u[i].member = p->member;
	}
	if (rc)
		finish(c, s);
	else if (s->sight.unrestricted)
		uses_sync_run(c, s->group, m, u, n, with_uses, u);
	else
		build(c, s);
}

/* ---- facts, page by page ---- */

static void fetch(struct call *, struct group_sync *);

static void append(struct member_sync *p, const struct contracts_res *r, struct arena *a)
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
	if (r->declared.n)
		p->declared = r->declared;
	if (r->branch)
		p->branch = r->branch;
	if (r->interfaces.n) {
		p->interfaces.v = r->interfaces.v;
		p->interfaces.n = r->interfaces.n;
	}
	if (r->includes.n)
		p->includes = r->includes;
	if (r->imports.n)
		p->imports = r->imports;
	if (r->tags.n)
		p->tags = r->tags;
}

static void restart(struct member_sync *p)
{
	p->got.v = NULL;
	p->got.n = p->packages.n = 0;
	p->req.after = 0;
	p->version = NULL;
}

/* Whether a page is from the same index as the pages before it; if not, start over or give up. */
static bool continues_index(struct member_sync *p, const char *version)
{
	if (!p->req.after || !strcmp(version, p->version))
		return true;
	restart(p);
	p->fetching = ++p->tries < TRIES;
	if (!p->fetching)
		err_set(&p->asked.e, ERR_UNAVAILABLE, "its index changes faster than it can be read");
	return false;
}

static void take_page(struct call *c, struct member_sync *p, const struct fanout_reply *k)
{
	const struct contracts_res *r = k->res;

	p->asked = *k;
	if (k->e.code) {
		restart(p);
		p->fetching = false;
		return;
	}
	const char *version = group_sync_version(c->members, p->member, k->stamp, c->a);
	if (!continues_index(p, version))
		return;
	p->version = version;
	append(p, r, c->a);
	p->fetching = r->next > p->req.after;
	p->req.after = r->next;
	if (p->fetching)
		return;
	if (p->got.n != r->total || p->packages.n != r->total_packages) {
		err_set(&p->asked.e, ERR_DB_ERROR, "it sent %zu of %llu facts", p->got.n + p->packages.n,
		    (unsigned long long)(r->total + r->total_packages));
		restart(p);
	}
}

static void with_pages(struct call *c, struct fanout *f)
{
	struct group_sync *s = c->state;
	size_t k = 0;

	for (size_t i = 0; i < s->sight.members.n; i++)
		if (s->parts[i].fetching)
			take_page(c, &s->parts[i], &f->v[k++]);
	fetch(c, s);
}

static void fetch(struct call *c, struct group_sync *s)
{
	struct member **m = arena_many(c->a, s->sight.members.n, struct member *);
	const void **reqs = arena_many(c->a, s->sight.members.n, const void *);
	size_t n = 0;

	for (size_t i = 0; i < s->sight.members.n; i++)
		if (s->parts[i].fetching) {
			m[n] = s->parts[i].member;
			reqs[n++] = &s->parts[i].req;
		}
	if (!n)
		sync_uses(c, s);
	else
		fanout(c, m, n, RPC_contracts, NULL, reqs, (int)c->o->contracts_deadline_ms, with_pages);
}

/* ---- which indexes have changed ---- */

static int compare_versions(struct call *c, struct member_sync *p, const struct fanout_reply *k)
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
	if (tables_facts_get(c->registry, p->member->repo_uri, &p->stored, &body, c->a, &c->e))
		return -1;
	const char *version = group_sync_version(c->members, p->member, k->stamp, c->a);
	p->fetching = !p->stored || strcmp(p->stored, version) != 0;
	return 0;
}

static void with_health(struct call *c, struct fanout *f)
{
	struct group_sync *s = c->state;

	for (size_t i = 0; i < f->n; i++)
		if (compare_versions(c, &s->parts[i], &f->v[i])) {
			finish(c, s);
			return;
		}
	fetch(c, s);
}

static void begin(void *arg)
{
	static const struct nothing nothing;
	struct group_sync *s = arg;
	struct call *c = s->call;

	c->on_end = leave;
	c->on_end_arg = s;
	/* the members may have changed while the sync waited */
	if (scoped_tables_find(c, s->group, &s->sight)) {
		finish(c, s);
		return;
	}
	s->parts = arena_many(c->a, s->sight.members.n, struct member_sync);
	fanout(c, s->sight.members.v, s->sight.members.n, RPC_health, &nothing, NULL, HEALTH_MS,
	    with_health);
}

void group_sync_run(
    struct call *c, const char *group, void (*then)(struct call *, struct group_sync *))
{
	struct group_sync *s = arena_one(c->a, struct group_sync);

	s->group = group;
	s->call = c;
	s->then = then;
	s->outer = c->state;
	c->state = s;
	if (scoped_tables_find(c, group, &s->sight)) {
		then(c, s);
		return;
	}
	s->key = s->sight.name;
	if (enter(c, s))
		begin(s);
}
