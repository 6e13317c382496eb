#include "coordinator/auth/tokens.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/base/options.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/token_rows.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"
#include "proto/process/options.h"

enum {
	SECRET_MIN = 20,		/* characters of a token that somebody else has made */
	SAVE_MS = 30000			/* between two writes of when they were used */
};

struct access_token {
	struct caller caller;
	struct tokens *all;
	const struct token_row *row;
	char hash[SHA256_HEX];
	bool stored;			/* in the registry */
	/* by age, youngest first; this and what follows under the lock */
	struct access_token *next;
	bool revoked;			/* revoked */
	bool expiry_reported;			/* that it has expired: of tokens_tick */
	bool used;			/* since last_used was kept */
	char last_used[CLOCK_ISO];
	int64_t scope;			/* of the registry when `visible` was read; -1: never */
	t_strs visible;			/* in `names`, in order */
	struct arena *names;
};

struct tokens {
	struct registry *registry;
	void (*forget)(void *, const struct caller *);
	void *arg;			/* of it */
	pthread_mutex_t lock;
	struct arena *a;		/* tokens live as long as this: requests and sessions name them */
	struct map *by_hash;		/* NULL: revoked */
	struct access_token *first;
	size_t n;			/* that must be carried: without `starter` */
	int64_t saved_ms;
};

/* ---- in memory ---- */

static const struct token_row *copy_row(const struct token_row *r, struct arena *a)
{
	struct token_row *c = arena_one(a, struct token_row);

	*c = (struct token_row){ arena_str(a, r->name),
		{ arena_many(a, r->groups.n, const char *), r->groups.n },
		{ arena_many(a, r->repos.n, const char *), r->repos.n },
		arena_str(a, r->visibility ? r->visibility : "private"), r->read_only,
		arena_str(a, r->created_at), arena_str(a, r->expires_at), NULL };
	for (size_t i = 0; i < r->groups.n; i++)
		c->groups.v[i] = arena_str(a, r->groups.v[i]);
	for (size_t i = 0; i < r->repos.n; i++)
		c->repos.v[i] = arena_str(a, r->repos.v[i]);
	return c;
}

/* One that is known already, as others may tell of it first, is not taken again. */
static void admit(struct tokens *all, const struct token_row *r, const char *hash, bool kept)
{
	pthread_mutex_lock(&all->lock);
	if (kept && map_get(all->by_hash, hash)) {
		pthread_mutex_unlock(&all->lock);
		return;
	}
	all->n += kept;
	struct access_token *t = arena_one(all->a, struct access_token);
	t->all = all;
	t->row = copy_row(r, all->a);
	t->stored = kept;
	t->scope = -1;
	t->names = arena_new();
	memcpy(t->hash, hash, SHA256_HEX);
	t->caller = (struct caller){ .name = t->row->name,
		.read_only = r->read_only,
		.token = t,
		.is_operator = !kept,
		.everything = !r->groups.n && !r->repos.n && !strcmp(t->row->visibility, "private") };
	if (r->last_used_at)
		snprintf(t->last_used, sizeof t->last_used, "%s", r->last_used_at);
	t->next = all->first;
	all->first = t;
	*map_at(all->by_hash, hash) = t;
	pthread_mutex_unlock(&all->lock);
}

/* Under the lock: the one with this name that is still good. */
static struct access_token *named(struct tokens *all, const char *name)
{
	struct access_token *t = all->first;

	while (t && (t->revoked || strcmp(t->row->name, name) != 0))
		t = t->next;
	return t;
}

static bool is_expired(const struct access_token *t)
{
	char now[CLOCK_ISO];

	clock_iso(now);
	return t->row->expires_at && strcmp(now, t->row->expires_at) >= 0;
}

/* ---- what it may see ---- */

static const char visible_sql[] =
    "select repo_uri from repos r where case visibility when 'public' then 0 when 'internal' then 1 else 2 end"
    " <= case ?2 when 'public' then 0 when 'internal' then 1 else 2 end"
    " and (not exists (select 1 from token_scope where token = ?1)"
    " or exists (select 1 from token_scope where token = ?1 and kind = 'repo' and value = r.repo_uri)"
    " or exists (select 1 from members m join token_scope s on s.value = m.grp where s.token = ?1 and s.kind = 'group'"
    " and m.repo_uri = r.repo_uri)) order by repo_uri";

static int read_visible(struct access_token *t, t_strs *out, struct arena *a, struct err *e)
{
	/* requests ask, on the threads of HTTP: they do not wait for writers */
	struct registry *r = t->all->registry;
	struct stmt *s = db_prep(registry_read_begin(r), visible_sql, e);

	return registry_read_end(r,
	    !s || db_bind(s, "ss", t->row->name, t->row->visibility) ? -1 :
	                                                               registry_strings(s, out, a, e));
}

/* What cannot be read stays as it was. */
static void refresh(struct access_token *t)
{
	int64_t scope = registry_scope_version(t->all->registry);
	struct err e = { 0 };
	t_strs v;

	pthread_mutex_lock(&t->all->lock);
	bool current = t->caller.everything || t->revoked || t->scope == scope;
	pthread_mutex_unlock(&t->all->lock);
	if (current)
		return;
	struct arena *a = arena_new();
	if (read_visible(t, &v, a, &e)) {
		log_error("token.scope_failed", "name=%s message=%s", t->row->name, log_quote(e.msg));
	} else {
		pthread_mutex_lock(&t->all->lock);
		struct arena *old = t->names;
		t->names = a;
		t->visible = v;
		t->scope = scope;
		pthread_mutex_unlock(&t->all->lock);
		a = old;
	}
	arena_free(a);
}

static int by_text(const void *key, const void *at)
{
	return strcmp(key, *(const char *const *)at);
}

bool token_sees(struct access_token *t, const char *repo_uri)
{
	pthread_mutex_lock(&t->all->lock);
	bool sees = !t->revoked && t->visible.n &&
	    bsearch(repo_uri, t->visible.v, t->visible.n, sizeof *t->visible.v, by_text);
	pthread_mutex_unlock(&t->all->lock);
	return sees;
}

bool token_names_group(const struct access_token *t, const char *group)
{
	for (size_t i = 0; i < t->row->groups.n; i++)
		if (!strcmp(t->row->groups.v[i], group))
			return true;
	return false;
}

/* ---- requests ---- */

bool tokens_exist(struct tokens *all)
{
	pthread_mutex_lock(&all->lock);
	bool any = all->n > 0;
	pthread_mutex_unlock(&all->lock);
	return any;
}

const struct caller *tokens_caller(struct tokens *all, const char *secret, struct err *e)
{
	char hash[SHA256_HEX];

	crypto_sha256(secret, strlen(secret), hash);
	pthread_mutex_lock(&all->lock);
	struct access_token *t = map_get(all->by_hash, hash);
	if (t && !crypto_equal_strings(t->hash, hash))
		t = NULL;
	bool over = t && is_expired(t);
	if (t && !over) {
		clock_iso(t->last_used);
		t->used = true;
	}
	pthread_mutex_unlock(&all->lock);
	if (t && !over) {
		refresh(t);
		return &t->caller;
	}
	err_set(e, ERR_FORBIDDEN, "the token %s", over ? "has expired" : "is unknown or revoked");
	err_hint(
	    e, "`atoll token create --name NAME` makes another; `atoll` takes it from ATOLL_TOKEN.");
	return NULL;
}

/* ---- now and then ---- */

static int save_one(struct tokens *all, const char *name, const char *last_used, struct err *e)
{
	struct db *db = registry_begin(all->registry, e);

	if (db)
		return registry_end(all->registry,
		    db_run(
		        db, e, "update tokens set last_used_at = ? where name = ?", "ss", last_used, name),
		    e);
	return -1;
}

static void save(struct tokens *all)
{
	struct err e = { 0 };

	for (;;) {
		char last_used[CLOCK_ISO];
		pthread_mutex_lock(&all->lock);
		struct access_token *t = all->first;
		while (t && !(t->used && t->stored && !t->revoked))
			t = t->next;
		if (t) {
			t->used = false;
			memcpy(last_used, t->last_used, sizeof last_used);
		}
		pthread_mutex_unlock(&all->lock);
		if (!t)
			return;
		if (save_one(all, t->row->name, last_used, &e))
			log_error("token.save_failed", "name=%s message=%s", t->row->name, log_quote(e.msg));
	}
}

void tokens_tick(struct tokens *all)
{
	pthread_mutex_lock(&all->lock);
	struct access_token *first = all->first;
	pthread_mutex_unlock(&all->lock);
	for (struct access_token *t = first; t; t = t->next) {
		refresh(t);
		if (is_expired(t) && !t->expiry_reported)
			all->forget(all->arg, &t->caller);
		t->expiry_reported = is_expired(t);
	}
	if (clock_ms() - all->saved_ms < SAVE_MS)
		return;
	all->saved_ms = clock_ms();
	save(all);
}

bool tokens_still_valid(struct tokens *all, const struct caller *c)
{
	struct access_token *t = c->token;

	if (!t)
		return c != &caller_local || !tokens_exist(all);
	pthread_mutex_lock(&all->lock);
	bool hold = !t->revoked && !is_expired(t);
	pthread_mutex_unlock(&all->lock);
	if (hold)
		refresh(t);
	return hold;
}

/* ---- making and revoking ---- */

static int check_name(struct tokens *all, const char *name, struct err *e)
{
	static const char *const ours[] = { "local", "nobody", "self", "starter", "bootstrap" };
	bool there = false;

	if (registry_check_name("name", name, e))
		return -1;
	for (size_t i = 0; i < LEN(ours); i++)
		there |= !strcmp(name, ours[i]);
	pthread_mutex_lock(&all->lock);
	there |= named(all, name) != NULL;
	pthread_mutex_unlock(&all->lock);
	if (there)
		return err_token_taken(name, e);
	return 0;
}

int tokens_create(
    struct tokens *all, const struct token_row *r, char secret[TOKEN_SIZE], struct err *e)
{
	char hash[SHA256_HEX];

	if (check_name(all, r->name, e))
		return -1;
	memcpy(secret, "atoll_", 6);
	crypto_random_hex(secret + 6, 20);
	crypto_sha256(secret, strlen(secret), hash);
	int rc, tries = 0;
	do {
		struct db *db = registry_begin(all->registry, e);
		if (db)
			rc = registry_end(all->registry, token_row_put(db, r, hash, e), e);
		else
			rc = -1;
	} while (registry_retry(all->registry, rc, &tries, e));
	if (rc)
		return -1;
	admit(all, r, hash, true);
	log_info("token.create", "name=%s", r->name);
	return 0;
}

/* It opens nothing any more. */
static void revoke_in_memory(struct tokens *all, struct access_token *t)
{
	pthread_mutex_lock(&all->lock);
	bool was = t->revoked;
	if (!was && map_get(all->by_hash, t->hash) == t)
		*map_at(all->by_hash, t->hash) = NULL;
	t->revoked = true;
	all->n -= !was;
	pthread_mutex_unlock(&all->lock);
	if (!was)
		all->forget(all->arg, &t->caller);
}

int tokens_revoke(struct tokens *all, const char *name, struct err *e)
{
	pthread_mutex_lock(&all->lock);
	struct access_token *t = named(all, name);
	pthread_mutex_unlock(&all->lock);
	if (!t || !t->stored) {
		err_set(e, ERR_NOT_FOUND,
		    t ? "the token `%.64s` is not kept: it ends with the option that it comes from" :
		        "no token `%.64s`",
		    name);
		return err_hint(e, "`atoll token list` shows them.");
	}
	int rc, tries = 0;
	do {
		struct db *db = registry_begin(all->registry, e);
		if (db)
			rc = registry_end(
			    all->registry, db_run(db, e, "delete from tokens where name = ?", "s", name), e);
		else
			rc = -1;
	} while (registry_retry(all->registry, rc, &tries, e));
	if (rc)
		return -1;
	revoke_in_memory(all, t);
	log_info("token.revoke", "name=%s", name);
	return 0;
}

static int by_name(const void *x, const void *y)
{
	return strcmp(((const struct token_row *)x)->name, ((const struct token_row *)y)->name);
}

void tokens_rows(struct tokens *all, struct token_row **v, size_t *n, struct arena *a)
{
	size_t len = 0;

	*n = 0;
	pthread_mutex_lock(&all->lock);
	for (struct access_token *t = all->first; t; t = t->next)
		len++;
	*v = arena_many(a, len, struct token_row);
	for (struct access_token *t = all->first; t; t = t->next) {
		if (t->revoked || !strcmp(t->row->name, "starter"))
			continue;
		(*v)[*n] = *copy_row(t->row, a);
		(*v)[(*n)++].last_used_at = *t->last_used ? arena_str(a, t->last_used) : NULL;
	}
	pthread_mutex_unlock(&all->lock);
	qsort(*v, *n, sizeof **v, by_name);
}

/* ---- opening and closing ---- */

/* All that are kept; their hashes in `there`. */
static int load(
    struct tokens *all, struct db *db, struct map *there, struct arena *a, struct err *e)
{
	t_strs names;
	struct stmt *s = db_prep(db, "select name from tokens order by name", e);

	if (!s || registry_strings(s, &names, a, e))
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		struct token_row r = { .name = names.v[i] };
		char hash[SHA256_HEX];
		if (token_row_get(db, &r, hash, a, e))
			return -1;
		admit(all, &r, hash, true);
		*map_at(there, hash) = all;
	}
	return 0;
}

void tokens_reload(struct tokens *all)
{
	struct arena *a = arena_new();
	struct map *there = map_new();
	struct err e = { 0 };

	pthread_mutex_lock(&all->lock);
	struct access_token *first = all->first;	/* what comes after this was made meanwhile */
	pthread_mutex_unlock(&all->lock);
	struct db *db = registry_begin(all->registry, &e);
	if (!db || registry_end(all->registry, load(all, db, there, a, &e), &e)) {
		log_error("token.load_failed", "message=%s", log_quote(e.msg));
	} else {
		for (struct access_token *t = first; t; t = t->next)
			if (t->stored && !map_get(there, t->hash))
				revoke_in_memory(all, t);
	}
	map_free(there);
	arena_free(a);
}

/* One that is only in memory; it may see all. */
static void admit_secret(struct tokens *all, const char *name, const char *secret)
{
	char hash[SHA256_HEX], now[CLOCK_ISO];

	clock_iso(now);
	crypto_sha256(secret, strlen(secret), hash);
	admit(all, &(struct token_row){ .name = name, .visibility = "private", .created_at = now },
	    hash, false);
}

static int take_options(
    struct tokens *all, const struct coordinator_config *o, struct arena *a, struct err *e)
{
	if (*o->starter_token)
		admit_secret(all, "starter", o->starter_token);
	if (!*o->bootstrap_token_file)
		return 0;
	const char *secret = options_read_secret("bootstrap-token-file", o->bootstrap_token_file, a, e);
	if (!secret)
		return -1;
	if (strlen(secret) < SECRET_MIN) {
		err_set(e, ERR_INVALID_INPUT,
		    "--bootstrap-token-file %s: a token has at least %d characters",
		    o->bootstrap_token_file, SECRET_MIN);
		return err_hint(e, "For example `openssl rand -hex 20`.");
	}
	admit_secret(all, "bootstrap", secret);
	all->n++;
	return 0;
}

struct tokens *tokens_open(struct registry *registry, const struct coordinator_config *o,
    void (*forget)(void *, const struct caller *), void *arg, struct err *e)
{
	struct tokens *all = xcalloc(1, sizeof *all);
	struct arena *a = arena_new();

	all->registry = registry;
	all->forget = forget;
	all->arg = arg;
	all->a = arena_new();
	all->by_hash = map_new();
	all->saved_ms = clock_ms();
	pthread_mutex_init(&all->lock, NULL);
	struct map *there = map_new();
	struct db *db = registry_begin(registry, e);
	if (!db || registry_end(registry, load(all, db, there, a, e), e) ||
	    take_options(all, o, a, e)) {
		tokens_free(all);
		all = NULL;
	}
	map_free(there);
	arena_free(a);
	return all;
}

void tokens_free(struct tokens *all)
{
	if (!all)
		return;
	save(all);
	for (struct access_token *t = all->first; t; t = t->next)
		arena_free(t->names);
	map_free(all->by_hash);
	pthread_mutex_destroy(&all->lock);
	arena_free(all->a);
	free(all);
}
