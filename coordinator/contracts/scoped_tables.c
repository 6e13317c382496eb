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
#include "proto/base/optional_text.h"
#include "proto/net/crypto.h"

enum {
	CACHE_ENTRIES = 64,
	REBUILD_PAUSE_FACTOR = 4,	/* times the cost of a build, before the next one */
	FAILED_MS = 250,		/* cost that a failed build counts as */
};

/* The tables of one set of members. */
struct scoped_tables_entry {
	char name[SHA256_HEX];		/* empty = free */
	char routing[64];		/* stamp of the --routing file that they were built with */
	int64_t made, cost, used;	/* monotonic, milliseconds */
	bool making;
};

struct scoped_tables_cache {
	pthread_mutex_t lock;		/* guards the entries */
	struct registry *r;		/* holds their tables */
	struct scoped_tables_entry v[CACHE_ENTRIES];
};

struct scoped_tables_cache *scoped_tables_cache_new(struct err *e)
{
	struct scoped_tables_cache *s = xcalloc(1, sizeof *s);

	pthread_mutex_init(&s->lock, NULL);
	s->r = registry_open_temporary(e);
	if (!s->r) {
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

/* ---- finding ---- */

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

/* Use the tables that are built from the visible members alone. */
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

	*s = (struct scoped_tables){
		.group = group, .at = c->registry, .name = group, .unrestricted = true
	};
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
	 * The group's tables may be missing because a member that the caller did not see has left: then
	 * the caller need not wait until they are rebuilt.
	 */
	bool usable = s->t.synced_at || c->caller->everything;
	if (s->unrestricted && usable)
		return 0;
	return use_cached_tables(c, s);
}

/* ---- building ---- */

/* Whether an entry is a better one to take over than `best`: free, else less recently used. */
static bool is_better_victim(
    const struct scoped_tables_entry *x, const struct scoped_tables_entry *best)
{
	if (!best)
		return true;
	if (!*best->name)
		return false;
	return !*x->name || x->used < best->used;
}

/*
 * The entry of these tables; else a free one; else the least recently used one; NULL if tables are
 * being built in all of them.  The lock is held.
 */
static struct scoped_tables_entry *entry_of(struct scoped_tables_cache *all, const char *name)
{
	struct scoped_tables_entry *best = NULL;

	for (size_t i = 0; i < CACHE_ENTRIES; i++) {
		struct scoped_tables_entry *x = &all->v[i];
		if (!strcmp(x->name, name))
			return x;
		if (!x->making && is_better_victim(x, best))
			best = x;
	}
	return best;
}

/* Identifies the present content of the --routing file. */
static const char *routing_stamp(struct call *c)
{
	const char *file = c->o->routing;
	struct stat st;

	if (!text_is_set(file) || stat(file, &st))
		return "";
	return arena_printf(c->a, "%llu %lld %lld.%09ld", (unsigned long long)st.st_ino,
	    (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Give an entry to the tables of another set of members.  The lock is held. */
static int entry_take_over(struct call *c, struct scoped_tables_entry *x, const char *name)
{
	int rc = 0;

	if (*x->name)
		rc = groups_delete(c->co->scoped_tables->r, x->name, &c->e);
	*x = (struct scoped_tables_entry){ 0 };
	if (!rc)
		strcpy(x->name, name);
	return rc;
}

/* Reserve an entry for building these tables; NULL with the call's `e` set. */
static struct scoped_tables_entry *entry_acquire(struct call *c, const struct scoped_tables *s)
{
	struct scoped_tables_cache *all = c->co->scoped_tables;
	int rc = 0;

	pthread_mutex_lock(&all->lock);
	struct scoped_tables_entry *x = entry_of(all, s->name);
	if (x && strcmp(x->name, s->name))
		rc = entry_take_over(c, x, s->name);
	if (x && !rc)
		x->making = true;
	pthread_mutex_unlock(&all->lock);
	if (!x)
		err_set(&c->e, ERR_RATE_LIMITED, "too many contract tables are being rebuilt");
	if (rc)
		return NULL;
	return x;
}

/* `routing` is NULL if the tables could not be built and are still the old ones. */
static void entry_release(
    struct call *c, struct scoped_tables_entry *x, const char *routing, int64_t since)
{
	struct scoped_tables_cache *all = c->co->scoped_tables;
	int64_t now = clock_ms();

	pthread_mutex_lock(&all->lock);
	x->making = false;
	x->made = x->used = now;
	x->cost = FAILED_MS;
	if (routing) {
		x->cost = now - since;
		snprintf(x->routing, sizeof x->routing, "%s", routing);
	}
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

/* Build the tables from the stored facts. */
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

/* Compare the stored facts with those that the tables were built from. */
static void compare_facts(
    const struct scoped_tables *s, const struct synced_member *kept, bool *has_facts, bool *changed)
{
	*has_facts = false;
	*changed = s->t.nmembers != s->members.n;
	for (size_t i = 0; i < s->members.n; i++) {
		const char *now = kept[i].version, *built = NULL;
		if (!now)
			continue;
		*has_facts = true;
		if (!*changed)
			built = s->t.members[i].version;
		if (!built || strcmp(now, built))
			*changed = true;
	}
}

/*
 * Whether to rebuild the tables now: facts or --routing have changed, and the pause after the last
 * build is over.
 */
static bool is_due(struct call *c, const struct scoped_tables *s, const struct synced_member *kept)
{
	struct scoped_tables_cache *all = c->co->scoped_tables;
	const char *routing = routing_stamp(c);
	bool has_facts, changed, due = false;

	compare_facts(s, kept, &has_facts, &changed);
	if (!s->t.synced_at)
		return has_facts;
	pthread_mutex_lock(&all->lock);
	struct scoped_tables_entry *x = entry_of(all, s->name);
	if (x && !strcmp(x->name, s->name)) {
		x->used = clock_ms();
		bool outdated = changed || strcmp(x->routing, routing);
		bool rested = x->used - x->made >= REBUILD_PAUSE_FACTOR * x->cost;
		due = outdated && rested && !x->making;
	}
	pthread_mutex_unlock(&all->lock);
	return due;
}

static int group_stamp(struct call *c, const char *group, const char **stamp)
{
	struct tables_info t;

	if (tables_get(c->registry, group, &t, c->a, &c->e))
		return -1;
	*stamp = arena_printf(c->a, "%s %.16s", text_or_empty(t.synced_at), text_or_empty(t.digest));
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
		const char *version = text_or_empty(kept[i].version);
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
	/* the old tables are still right for older facts */
	log_warn("scoped_tables.build_failed", "group=%s message=%s", group, log_quote(c->e.msg));
	c->e = (struct err){ 0 };
	return 0;
}

/* ---- reading ---- */

/*
 * Since the tables were found, a member that the caller may not see may have joined the group, or
 * the cached tables may have been evicted.
 */
static int check_digest(struct call *c, const struct scoped_tables *s, const char *digest)
{
	if (c->caller->everything)
		return 0;
	if (digest && s->t.digest && !strcmp(digest, s->t.digest))
		return 0;
	err_set(&c->e, ERR_UNAVAILABLE, "the contracts of group `%.80s` are being rebuilt", s->group);
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
