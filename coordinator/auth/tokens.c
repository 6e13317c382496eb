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
	SECRET_MIN = 20,		/* characters of a token that the operator has chosen */
	SAVE_MS = 30000			/* between two writes of last_used */
};

struct access_token {
	struct caller caller;
	struct tokens *all;
	const struct token_row *row;
	char hash[SHA256_HEX];
	bool stored;			/* in the registry */
	struct access_token *next;	/* youngest first; this and what follows are guarded by the lock */
	bool revoked;
	bool expiry_reported;		/* used by tokens_tick only */
	bool used;			/* since last_used was stored */
	char last_used[CLOCK_ISO];
	int64_t scope;			/* registry_scope_version when `visible` was read; -1 = never */
	t_strs visible;			/* sorted; lives in `names` */
	struct arena *names;
};

struct tokens {
	struct registry *registry;
	void (*forget)(void *, const struct caller *);
	void *arg;			/* of `forget` */
	pthread_mutex_t lock;
	struct arena *a;		/* tokens are never freed: requests and sessions point to them */
	struct map *by_hash;		/* NULL values for revoked tokens */
	struct access_token *first;
	size_t n;			/* valid tokens, without `starter` */
	int64_t saved_ms;
};

/* ---- in memory ---- */

static t_strs copy_strs(const t_strs *from, struct arena *a)
{
	t_strs to = { arena_many(a, from->n, const char *), from->n };

	for (size_t i = 0; i < from->n; i++)
		to.v[i] = arena_str(a, from->v[i]);
	return to;
}

static const struct token_row *copy_row(const struct token_row *r, struct arena *a)
{
	struct token_row *c = arena_one(a, struct token_row);

	c->name = arena_str(a, r->name);
	c->groups = copy_strs(&r->groups, a);
	c->repos = copy_strs(&r->repos, a);
	c->visibility = "private";
	if (r->visibility)
		c->visibility = arena_str(a, r->visibility);
	c->read_only = r->read_only;
	c->created_at = arena_str(a, r->created_at);
	c->expires_at = arena_str(a, r->expires_at);
	return c;
}

static struct access_token *new_token(
    struct tokens *all, const struct token_row *r, const char *hash, bool stored)
{
	struct access_token *t = arena_one(all->a, struct access_token);
	const struct token_row *row = copy_row(r, all->a);
	bool limited = row->groups.n || row->repos.n || strcmp(row->visibility, "private");

	t->all = all;
	t->row = row;
	t->stored = stored;
	t->scope = -1;
	t->names = arena_new();
	memcpy(t->hash, hash, SHA256_HEX);
	t->caller = (struct caller){
		.name = row->name,
		.read_only = row->read_only,
		.token = t,
		.is_operator = !stored,
		.everything = !limited,
	};
	if (r->last_used_at)
		snprintf(t->last_used, sizeof t->last_used, "%s", r->last_used_at);
	return t;
}

/* Adds a token, unless it is known: another coordinator may have reported it first. */
static void admit(struct tokens *all, const struct token_row *r, const char *hash, bool stored)
{
	pthread_mutex_lock(&all->lock);
	if (stored && map_get(all->by_hash, hash)) {
		pthread_mutex_unlock(&all->lock);
		return;
	}
	if (stored)
		all->n++;
	struct access_token *t = new_token(all, r, hash, stored);
	t->next = all->first;
	all->first = t;
	*map_at(all->by_hash, hash) = t;
	pthread_mutex_unlock(&all->lock);
}

/* Call with the lock held.  The valid token with this name, or NULL. */
static struct access_token *find_by_name(struct tokens *all, const char *name)
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

/* ---- visible repositories ---- */

static const char visible_sql[] =
    "select repo_uri from repos r"
    " where case visibility when 'public' then 0 when 'internal' then 1 else 2 end"
    " <= case ?2 when 'public' then 0 when 'internal' then 1 else 2 end"
    " and (not exists (select 1 from token_scope where token = ?1)"
    " or exists (select 1 from token_scope"
    " where token = ?1 and kind = 'repo' and value = r.repo_uri)"
    " or exists (select 1 from members m join token_scope s on s.value = m.grp"
    " where s.token = ?1 and s.kind = 'group' and m.repo_uri = r.repo_uri)) order by repo_uri";

static int read_visible(struct access_token *t, t_strs *out, struct arena *a, struct err *e)
{
	/* This runs on the threads of HTTP, so it must not wait for writers. */
	struct registry *r = t->all->registry;
	struct stmt *s = db_prep(registry_read_begin(r), visible_sql, e);
	int rc = -1;

	if (s && !db_bind(s, "ss", t->row->name, t->row->visibility))
		rc = registry_strings(s, out, a, e);
	return registry_read_end(r, rc);
}

/* Updates what the token may see; after an error that stays unchanged. */
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
	bool expired = t && is_expired(t), valid = t && !expired;
	if (valid) {
		clock_iso(t->last_used);
		t->used = true;
	}
	pthread_mutex_unlock(&all->lock);
	if (valid) {
		refresh(t);
		return &t->caller;
	}
	err_set(e, ERR_FORBIDDEN, "the token %s", expired ? "has expired" : "is unknown or revoked");
	err_hint(e,
	    "`atoll token create --name NAME` creates another one; `atoll` reads it from ATOLL_TOKEN.");
	return NULL;
}

/* ---- periodic work ---- */

static int save_one(struct tokens *all, const char *name, const char *last_used, struct err *e)
{
	struct db *db = registry_begin(all->registry, e);

	if (!db)
		return -1;
	int rc = db_run(
	    db, e, "update tokens set last_used_at = ? where name = ?", "ss", last_used, name);
	return registry_end(all->registry, rc, e);
}

/* A token whose last use is not stored yet; NULL if there is none. */
static struct access_token *take_used(struct tokens *all, char last_used[CLOCK_ISO])
{
	pthread_mutex_lock(&all->lock);
	struct access_token *t = all->first;
	for (; t; t = t->next)
		if (t->used && t->stored && !t->revoked) {
			t->used = false;
			memcpy(last_used, t->last_used, CLOCK_ISO);
			break;
		}
	pthread_mutex_unlock(&all->lock);
	return t;
}

static void save(struct tokens *all)
{
	struct err e = { 0 };
	char last_used[CLOCK_ISO];
	struct access_token *t;

	while ((t = take_used(all, last_used)))
		if (save_one(all, t->row->name, last_used, &e))
			log_error("token.save_failed", "name=%s message=%s", t->row->name, log_quote(e.msg));
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
	bool valid = !t->revoked && !is_expired(t);
	pthread_mutex_unlock(&all->lock);
	if (valid)
		refresh(t);
	return valid;
}

/* ---- creating and revoking ---- */

static bool is_reserved(const char *name)
{
	static const char *const reserved[] = { "local", "nobody", "self", "starter", "bootstrap" };

	for (size_t i = 0; i < LEN(reserved); i++)
		if (!strcmp(name, reserved[i]))
			return true;
	return false;
}

static int check_name(struct tokens *all, const char *name, struct err *e)
{
	if (registry_check_name("name", name, e))
		return -1;
	pthread_mutex_lock(&all->lock);
	bool taken = is_reserved(name) || find_by_name(all, name);
	pthread_mutex_unlock(&all->lock);
	if (taken)
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

static void revoke_in_memory(struct tokens *all, struct access_token *t)
{
	pthread_mutex_lock(&all->lock);
	bool valid = !t->revoked;
	if (valid) {
		if (map_get(all->by_hash, t->hash) == t)
			*map_at(all->by_hash, t->hash) = NULL;
		t->revoked = true;
		all->n--;
	}
	pthread_mutex_unlock(&all->lock);
	if (valid)
		all->forget(all->arg, &t->caller);
}

static int err_no_token(const struct access_token *t, const char *name, struct err *e)
{
	if (t)
		err_set(e, ERR_NOT_FOUND,
		    "the token `%.64s` is not stored: it is valid as long as its option is given", name);
	else
		err_set(e, ERR_NOT_FOUND, "no token `%.64s`", name);
	return err_hint(e, "`atoll token list` shows the tokens.");
}

int tokens_revoke(struct tokens *all, const char *name, struct err *e)
{
	pthread_mutex_lock(&all->lock);
	struct access_token *t = find_by_name(all, name);
	pthread_mutex_unlock(&all->lock);
	if (!t || !t->stored)
		return err_no_token(t, name, e);
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
		struct token_row *row = &(*v)[(*n)++];
		*row = *copy_row(t->row, a);
		if (*t->last_used)
			row->last_used_at = arena_str(a, t->last_used);
	}
	pthread_mutex_unlock(&all->lock);
	qsort(*v, *n, sizeof **v, by_name);
}

/* ---- opening and closing ---- */

/* Loads all stored tokens; `there` receives their hashes. */
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
	struct access_token *first = all->first;	/* younger tokens may not be in what we read */
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

/* Adds an unlimited token that is not stored. */
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
		    "--bootstrap-token-file %s: a token needs at least %d characters",
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
