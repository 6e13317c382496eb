#include "coordinator/registry/token_rows.h"

#include <stdio.h>

#include "coordinator/registry/registry.h"
#include "coordinator/records/records.h"
#include "proto/base/arena.h"
#include "proto/net/crypto.h"
#include "proto/db/db.h"
#include "proto/base/err.h"

int err_token_taken(const char *name, struct err *e)
{
	err_set(e, ERR_INVALID_INPUT, "`name`: a token `%s` already exists", name);
	return err_hint(e, "Choose another name, or `atoll token revoke %s` first.", name);
}

static int put_scope(
    struct db *db, const char *token, const char *kind, const t_strs *v, struct err *e)
{
	for (size_t i = 0; i < v->n; i++)
		if (db_run(db, e, "insert or ignore into token_scope (token, kind, value) values (?, ?, ?)",
		        "sss", token, kind, v->v[i]))
			return -1;
	return 0;
}

int token_row_put(struct db *db, const struct token_row *r, const char *hash, struct err *e)
{
	if (db_run(db, e,
	        "insert or ignore into tokens (name, hash, visibility, read_only, created_at,"
	        " expires_at) values (?, ?, ?, ?, ?, ?)",
	        "sssiss", r->name, hash, r->visibility, (int64_t)r->read_only, r->created_at,
	        r->expires_at))
		return -1;
	if (!db_changes(db))
		return err_token_taken(r->name, e);
	if (put_scope(db, r->name, "group", &r->groups, e))
		return -1;
	return put_scope(db, r->name, "repo", &r->repos, e);
}

static int load_scope(
    struct db *db, const char *token, const char *kind, t_strs *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select value from token_scope where token = ? and kind = ? order by value", e);

	if (!s || db_bind(s, "ss", token, kind))
		return -1;
	return registry_strings(s, out, a, e);
}

int token_row_get(
    struct db *db, struct token_row *r, char hash[SHA256_HEX], struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select hash, visibility, read_only, created_at, expires_at, last_used_at"
	    " from tokens where name = ?",
	    e);

	if (!s || db_bind(s, "s", r->name) || db_step(s, e) != 1)
		return -1;
	snprintf(hash, SHA256_HEX, "%s", db_str(s, 0));
	r->visibility = arena_str(a, db_str(s, 1));
	r->read_only = db_int(s, 2);
	r->created_at = arena_str(a, db_str(s, 3));
	r->expires_at = db_copy_text(s, 4, a);
	r->last_used_at = db_copy_text(s, 5, a);
	if (db_step(s, e))
		return -1;
	if (load_scope(db, r->name, "group", &r->groups, a, e))
		return -1;
	return load_scope(db, r->name, "repo", &r->repos, a, e);
}
