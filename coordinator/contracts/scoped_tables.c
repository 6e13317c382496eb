#include "coordinator/contracts/scoped_tables.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/context.h"
#include "coordinator/contracts/contract_tables_build.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/crypto.h"

/*
 * KEPT: sets of members; REST: after tables were made, so many times the time that this took
 * nobody makes them again; FAILED_MS: that time when they could not be made.
 */
enum { CACHE_ENTRIES = 64, REBUILD_PAUSE_FACTOR = 4, FAILED_MS = 250 };

/* One set of members. */
struct scoped_tables_entry {
	char name[SHA256_HEX];		/* empty: free */
	char routing[64];		/* which --routing file they were made with */
	int64_t made, cost, used;	/* monotonic, milliseconds */
	bool making;
};

struct scoped_tables_cache {
	pthread_mutex_t lock;		/* of the entries */
	struct registry *r;		/* of their tables */
	struct scoped_tables_entry v[CACHE_ENTRIES];
};

struct scoped_tables_cache *scoped_tables_cache_new(struct err *e)
{
	struct scoped_tables_cache *s = xcalloc(1, sizeof *s);

	pthread_mutex_init(&s->lock, NULL);
	if (!(s->r = registry_open_temporary(e))) {
		scoped_tables_cache_free(s);
		return NULL;
	}
	return s;
}

void scoped_tables_cache_free(struct scoped_tables_cache *s)
{
	if (!s)
		return;
	registry_close(s->r);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- where ---- */

static const char *name_of(const char *group, const struct resolved_repos *p, struct arena *a)
{
	struct crypto_hash *h = crypto_hash_new();
	char hex[SHA256_HEX];

	crypto_hash_put(h, group, strlen(group) + 1);
	for (size_t i = 0; i < p->n; i++)
		crypto_hash_put(h, p->v[i]->repo_uri, strlen(p->v[i]->repo_uri) + 1);
	crypto_hash_end(h, hex);
	return arena_str(a, hex);
}

/* To the tables that are made of the visible members alone. */
static int use_cached_tables(struct call *c, struct scoped_tables *s)
{
	s->unrestricted = false;
	s->at = c->co->scoped_tables->r;
	s->name = name_of(s->group, &s->members, c->a);
	return tables_get(s->at, s->name, &s->t, c->a, &c->e);
}

int scoped_tables_find(struct call *c, const char *group, struct scoped_tables *s)
{
	struct members *all = c->members;

	*s = (struct scoped_tables){ .group = group, .at = c->registry, .name = group, .unrestricted = true };
	if (tables_get(s->at, group, &s->t, c->a, &c->e))
		return -1;
	s->members.v = arena_many(c->a, s->t.nmembers, struct member *);
	for (size_t i = 0; i < s->t.nmembers; i++) {
		struct member *m = members_get(all, c->caller, s->t.members[i].repo_uri);
		if (m)
			s->members.v[s->members.n++] = m;
		else if (members_get(all, &caller_local, s->t.members[i].repo_uri))
			s->unrestricted = false;
	}
	/*
	 * those that were never made, or not since one has left that they may not have seen, are no
	 * reason for them to wait
	 */
	if (s->unrestricted && (s->t.synced_at || c->caller->everything))
		return 0;
	return use_cached_tables(c, s);
}

/* ---- making ---- */

/*
 * With the lock held: the entry of these tables or, in that order, a free place, and that of those
 * which nobody has used for longest.
 */
static struct scoped_tables_entry *entry_of(struct scoped_tables_cache *all, const char *name)
{
	struct scoped_tables_entry *best = NULL;

	for (size_t i = 0; i < CACHE_ENTRIES; i++) {
		struct scoped_tables_entry *x = &all->v[i];
		if (!strcmp(x->name, name))
			return x;
		if (!x->making && (!best || (*best->name && (!*x->name || x->used < best->used))))
			best = x;
	}
	return best;
}

/* Which file --routing names, as it is now. */
static const char *routing_stamp(struct call *c)
{
	const char *file = c->o->routing;
	struct stat st;

	if (!file || !*file || stat(file, &st))
		return "";
	return arena_printf(c->a, "%llu %lld %lld.%09ld", (unsigned long long)st.st_ino,
	    (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Room for the tables of these members; those that had it before go. */
static struct scoped_tables_entry *entry_acquire(struct call *c, const struct scoped_tables *s)
{
	struct scoped_tables_cache *all = c->co->scoped_tables;
	int rc = 0;

	pthread_mutex_lock(&all->lock);
	struct scoped_tables_entry *x = entry_of(all, s->name);
	if (x && strcmp(x->name, s->name)) {
		if (*x->name)
			rc = groups_delete(all->r, x->name, &c->e);
		else
			rc = 0;
		*x = (struct scoped_tables_entry){ 0 };
		if (!rc)
			strcpy(x->name, s->name);
	}
	if (x && !rc)
		x->making = true;
	pthread_mutex_unlock(&all->lock);
	if (!x)
		err_set(&c->e, ERR_RATE_LIMITED,
		    "more contracts are being rebuilt than this coordinator takes on");
	return rc ? NULL : x;
}

/* `routing` NULL: they could not be made, and are as they were. */
static void entry_release(
    struct call *c, struct scoped_tables_entry *x, const char *routing, int64_t since)
{
	struct scoped_tables_cache *all = c->co->scoped_tables;
	int64_t now = clock_ms();

	pthread_mutex_lock(&all->lock);
	x->making = false;
	x->made = x->used = now;
	if (routing)
		x->cost = now - since;
	else
		x->cost = FAILED_MS;
	if (routing)
		snprintf(x->routing, sizeof x->routing, "%s", routing);
	pthread_mutex_unlock(&all->lock);
}

int scoped_tables_build(struct call *c, const struct scoped_tables *s, struct match_member *m,
    const struct synced_member *synced, struct tables_build_result *out)
{
	int64_t since = clock_ms();
	const char *routing = routing_stamp(c);

	if (s->unrestricted)
		return tables_build(c, m, synced, s->members.n, s->at, s->name, out);
	struct scoped_tables_entry *x = entry_acquire(c, s);
	if (!x)
		return -1;
	int rc = tables_reserve(s->at, s->name, synced, s->members.n, &c->e);
	if (!rc)
		rc = tables_build(c, m, synced, s->members.n, s->at, s->name, out);
	entry_release(c, x, rc ? NULL : routing, since);
	return rc;
}

/* Make them of the facts that are kept. */
static int make(struct call *c, struct scoped_tables *s)
{
	struct match_member *m = arena_many(c->a, s->members.n + 1, struct match_member);
	struct synced_member *synced = arena_many(c->a, s->members.n, struct synced_member);
	struct tables_build_result built;

	for (size_t i = 0; i < s->members.n; i++) {
		const struct member *x = s->members.v[i];
		struct contracts_res *facts = arena_one(c->a, struct contracts_res);
		synced[i].repo_uri = x->repo_uri;
		if (tables_facts_read(c->registry, x->repo_uri, &synced[i].version, facts, c->a, &c->e))
			return -1;
		m[i] = (struct match_member){ x->repo_uri, x->name, facts };
	}
	if (scoped_tables_build(c, s, m, synced, &built))
		return -1;
	return tables_get(s->at, s->name, &s->t, c->a, &c->e);
}

/*
 * Whether the tables are made of other facts than are kept, or of another --routing; and it is
 * time to make them anew.
 */
static bool is_due(struct call *c, const struct scoped_tables *s, const struct synced_member *kept)
{
	struct scoped_tables_cache *all = c->co->scoped_tables;
	bool any = false, other = s->t.nmembers != s->members.n;
	const char *routing = routing_stamp(c);

	for (size_t i = 0; i < s->members.n; i++) {
		const char *is = kept[i].version, *was = other ? NULL : s->t.members[i].version;
		any |= is != NULL;
		other |= is && (!was || strcmp(is, was));
	}
	if (!s->t.synced_at)
		return any;
	pthread_mutex_lock(&all->lock);
	struct scoped_tables_entry *x = entry_of(all, s->name);
	bool here = x && !strcmp(x->name, s->name);
	if (here)
		x->used = clock_ms();
	bool due = here && (other || strcmp(x->routing, routing)) && !x->making &&
	    clock_ms() - x->made >= REBUILD_PAUSE_FACTOR * x->cost;
	pthread_mutex_unlock(&all->lock);
	return due;
}

static int group_stamp(struct call *c, const char *group, const char **stamp)
{
	struct tables_info t;

	if (tables_get(c->registry, group, &t, c->a, &c->e))
		return -1;
	*stamp = arena_printf(c->a, "%s %.16s", t.synced_at ? t.synced_at : "", t.digest ? t.digest : "");
	return 0;
}

int scoped_tables_stamp(struct call *c, const struct group_row *g, const char **stamp)
{
	struct synced_member *kept = arena_many(c->a, g->members.n + 1, struct synced_member);
	struct crypto_hash *h;
	char hex[SHA256_HEX];

	if (c->caller->everything)
		return group_stamp(c, g->name, stamp);
	for (size_t i = 0; i < g->members.n; i++)
		kept[i].repo_uri = g->members.v[i];
	if (tables_facts_versions(c->registry, kept, g->members.n, c->a, &c->e))
		return -1;
	h = crypto_hash_new();
	for (size_t i = 0; i < g->members.n; i++) {
		const char *version = kept[i].version ? kept[i].version : "";
		crypto_hash_put(h, kept[i].repo_uri, strlen(kept[i].repo_uri) + 1);
		crypto_hash_put(h, version, strlen(version) + 1);
	}
	crypto_hash_end(h, hex);
	*stamp = arena_strn(c->a, hex, 16);
	return 0;
}

int scoped_tables_refresh(struct call *c, const char *group, struct scoped_tables *s)
{
	struct synced_member *kept;

	if (scoped_tables_find(c, group, s))
		return -1;
	if (s->unrestricted)
		return 0;
	kept = arena_many(c->a, s->members.n, struct synced_member);
	for (size_t i = 0; i < s->members.n; i++)
		kept[i].repo_uri = s->members.v[i]->repo_uri;
	if (tables_facts_versions(c->registry, kept, s->members.n, c->a, &c->e))
		return -1;
	if (!is_due(c, s, kept) || !make(c, s))
		return 0;
	if (!s->t.synced_at)
		return -1;
	/* the old ones are still true of older facts */
	log_warn("scoped_tables.build_failed", "group=%s message=%s", group, log_quote(c->e.msg));
	c->e = (struct err){ 0 };
	return 0;
}

/* ---- reading ---- */

/*
 * The group may have got a member that the caller does not see, after it was looked at; and tables
 * that others want more go.
 */
static int check_digest(struct call *c, const struct scoped_tables *s, const char *digest)
{
	if (c->caller->everything || (digest && s->t.digest && !strcmp(digest, s->t.digest)))
		return 0;
	err_set(
	    &c->e, ERR_UNAVAILABLE, "the contracts of group `%.80s` are just being rebuilt", s->group);
	return err_hint(&c->e, "Ask again in a moment.");
}

int scoped_tables_page(struct call *c, const struct scoped_tables *s, const struct table_filter *f,
    struct table_page *out)
{
	if (tables_page(s->at, s->name, f, out, c->a, &c->e))
		return -1;
	return check_digest(c, s, out->digest);
}

int scoped_tables_matrix(struct call *c, const struct scoped_tables *s,
    const struct table_filter *f, struct table_matrix *out)
{
	if (tables_matrix(s->at, s->name, f, out, c->a, &c->e))
		return -1;
	return check_digest(c, s, out->digest);
}

int scoped_tables_link_pairs(struct call *c, const struct scoped_tables *s,
    const struct table_filter *f, struct table_matrix *out)
{
	if (tables_link_pairs(s->at, s->name, f, out, c->a, &c->e))
		return -1;
	return check_digest(c, s, out->digest);
}
