#include "coordinator/registry/groups.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/registry/registry.h"
#include "coordinator/registry/tombstones.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "proto/text/repo_uri.h"

static int strings_of(
    struct db *db, const char *sql, const char *arg, t_strs *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);

	if (!s || (arg && db_bind(s, "s", arg)))
		return -1;
	return registry_strings(s, out, a, e);
}

static int create(struct db *db, const char *name, const char *description, struct err *e)
{
	if (db_run(db, e, "insert or ignore into groups (name, description) values (?, ?)", "ss", name,
	        description))
		return -1;
	if (db_changes(db))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "`group`: `%s` already exists", name);
	return err_hint(e,
	    "`atoll group add %s REPO...` adds to it; `atoll group delete %s` deletes it.", name, name);
}

int groups_create(struct registry *r, const char *name, const char *description, struct err *e)
{
	int rc, tries = 0;

	if (registry_check_name("group", name, e))
		return -1;
	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, create(db, name, description, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

int groups_delete(struct registry *r, const char *name, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, db_run(db, e, "delete from groups where name = ?", "s", name), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

static int add_member(struct db *db, const char *group, const char *repo_uri, struct err *e)
{
	return db_run(db, e, "insert or ignore into members (grp, repo_uri) values (?, ?)", "ss", group,
	    repo_uri);
}

static int remove_member(struct db *db, const char *group, const char *repo_uri, struct err *e)
{
	return db_run(
	    db, e, "delete from members where grp = ? and repo_uri = ?", "ss", group, repo_uri);
}

typedef int change_member(struct db *, const char *group, const char *repo_uri, struct err *);

static int change_each(struct db *db, change_member *change, const char *group,
    const char *const *uris, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (change(db, group, uris[i], e))
			return -1;
	return 0;
}

static int change_members(struct registry *r, change_member *change, const char *group,
    const char *const *uris, size_t n, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, change_each(db, change, group, uris, n, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

int groups_add(
    struct registry *r, const char *name, const char *const *uris, size_t n, struct err *e)
{
	return change_members(r, add_member, name, uris, n, e);
}

int groups_remove(
    struct registry *r, const char *name, const char *const *uris, size_t n, struct err *e)
{
	return change_members(r, remove_member, name, uris, n, e);
}

/* ---- sources ---- */

static const char groups_of_source[] =
    "select grp from source_groups where source = ? order by grp";

static int get_sources(
    struct db *db, struct source_row **v, size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select source, host, repo_uri, added_by, count(*) over () from sources order by source",
	    e);
	int rc;

	*n = 0;
	*v = NULL;
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!*v)
			*v = arena_many(a, (size_t)db_int(s, 4), struct source_row);
		(*v)[(*n)++] = (struct source_row){
			.source = arena_str(a, db_str(s, 0)),
			.host = db_copy_text(s, 1, a),
			.repo_uri = db_copy_text(s, 2, a),
			.added_by = db_copy_text(s, 3, a),
		};
	}
	for (size_t i = 0; !rc && i < *n; i++)
		rc = strings_of(db, groups_of_source, (*v)[i].source, &(*v)[i].groups, a, e);
	return rc;
}

int sources_all(
    struct registry *r, struct source_row **v, size_t *n, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	if (db)
		return registry_snapshot_end(r, get_sources(db, v, n, a, e));
	return -1;
}

/* Whether a comma-separated list contains this name. */
static bool lists(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list;; p++) {
		size_t k = strcspn(p, ",");
		if (k == n && !strncmp(p, name, n))
			return true;
		p += k;
		if (!*p)
			return false;
	}
}

/*
 * The list with `host` added; an empty name is the coordinator's own host.  NULL when the result
 * is the coordinator's own host alone.
 */
static const char *list_with(const char *list, const char *host, struct arena *a)
{
	list = text_or_empty(list);
	host = text_or_empty(host);
	if (!lists(list, host)) {
		if (*host)
			list = arena_printf(a, "%s,%s", list, host);
		else
			list = arena_printf(a, ",%s", list);
	}
	if (!*list)
		return NULL;
	return list;
}

/*
 * The list of hosts that run a source once `host` does, too.  NULL, for `host` and for the list,
 * means the coordinator's own host alone.
 */
static int hosts_with(struct db *db, const char *source, const char *host, const char **out,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select host from sources where source = ?", e);
	int rc;

	*out = host;
	if (!s || db_bind(s, "s", source))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*out = list_with(db_copy_text(s, 0, a), host, a);
	return rc;
}

/* Creates the group if it does not exist. */
static int ensure_group(struct db *db, const char *name, struct err *e)
{
	return db_run(db, e, "insert or ignore into groups (name) values (?)", "s", name);
}

static int put_source(struct db *db, const struct source_row *s, struct err *e)
{
	struct arena *a = arena_new();
	const char *hosts;
	int rc = hosts_with(db, s->source, s->host, &hosts, a, e);

	if (!rc)
		rc = db_run(db, e,
		    "insert into sources (source, host, added_by) values (?, ?, ?)"
		    " on conflict (source) do update set host = excluded.host,"
		    " added_by = case when excluded.added_by is null then null else added_by end",
		    "sss", s->source, hosts, s->added_by);
	arena_free(a);
	if (rc)
		return -1;
	for (size_t i = 0; i < s->groups.n; i++) {
		if (ensure_group(db, s->groups.v[i], e))
			return -1;
		if (db_run(db, e, "insert or ignore into source_groups (source, grp) values (?, ?)", "ss",
		        s->source, s->groups.v[i]))
			return -1;
	}
	return 0;
}

int sources_put(struct registry *r, const struct source_row *s, struct err *e)
{
	for (size_t i = 0; i < s->groups.n; i++)
		if (registry_check_name("group", s->groups.v[i], e))
			return -1;
	int rc, tries = 0;
	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, put_source(db, s, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

static int delete_source(struct db *db, const char *source, struct err *e)
{
	return db_run(db, e, "delete from sources where source = ?", "s", source);
}

int sources_remove(struct registry *r, const char *source, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, delete_source(db, source, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

const char *sources_host_at(const char *list, size_t i, struct arena *a)
{
	const char *p = text_or_empty(list);

	for (; i; i--) {
		p += strcspn(p, ",");
		if (!*p++)
			return NULL;
	}
	return arena_strn(a, p, strcspn(p, ","));
}

/* The list without the removed host; NULL when no host is left.  *any: whether it was listed. */
static const char *hosts_without(
    const char *list, const struct host_removal *x, bool *any, struct arena *a)
{
	const char *left = NULL, *host;

	for (size_t i = 0; (host = sources_host_at(list, i, a)); i++) {
		bool leaves = !strcmp(host, x->host) || (!*host && x->own);
		if (leaves)
			*any = true;
		else if (left)
			left = arena_printf(a, "%s,%s", left, host);
		else
			left = host;
	}
	return left;
}

/* Whether the removal is about this source. */
static bool is_meant(const struct host_removal *x, const struct source_row *s)
{
	if (!x->repo_uri)
		return !strcmp(s->source, x->source);
	return s->repo_uri && !strcmp(s->repo_uri, x->repo_uri);
}

static int remove_from_source(struct db *db, const struct source_row *s,
    const struct host_removal *x, struct arena *a, struct err *e)
{
	bool any = false;
	const char *left = hosts_without(s->host, x, &any, a);

	if (!any)
		return 0;
	if (!left)
		return delete_source(db, s->source, e);
	if (!*left)	/* the coordinator's own host is stored as null */
		left = NULL;
	return db_run(db, e, "update sources set host = ? where source = ?", "ss", left, s->source);
}

static int remove_host(struct db *db, const struct host_removal *x, struct arena *a, struct err *e)
{
	struct source_row *v;
	size_t n;

	if (get_sources(db, &v, &n, a, e))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (is_meant(x, &v[i]) && remove_from_source(db, &v[i], x, a, e))
			return -1;
	for (size_t i = 0; i < x->replicas.n; i++) {
		if (db_run(db, e, "delete from endpoints where repo_uri = ? and replica = ?", "ss",
		        x->repo_uri, x->replicas.v[i]))
			return -1;
		if (tombstone_put(db, x->repo_uri, x->host, x->replicas.v[i], e))
			return -1;
	}
	if (x->repo_uri)
		return tombstone_put(db, x->repo_uri, x->host, NULL, e);
	return 0;
}

int sources_remove_host(struct registry *r, const struct host_removal *x, struct err *e)
{
	int rc, tries = 0;

	do {
		struct arena *a = arena_new();
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, remove_host(db, x, a, e), e);
		else
			rc = -1;
		arena_free(a);
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

static size_t path_length(const char *p)
{
	size_t n = strlen(p);

	while (n > 1 && p[n - 1] == '/')
		n--;
	return n;
}

bool sources_same(const char *x, const char *y, struct arena *a)
{
	size_t n = path_length(x);

	if (n == path_length(y) && !strncmp(x, y, n))
		return true;
	const char *u = uri_of_remote(x, a);
	if (!u)
		return false;
	const char *v = uri_of_remote(y, a);
	return v && !strcmp(u, v);
}

static int link_source(
    struct db *db, const struct source_row *s, const char *repo_uri, struct err *e)
{
	if (s->repo_uri && !strcmp(s->repo_uri, repo_uri))
		return 0;
	if (db_run(
	        db, e, "update sources set repo_uri = ? where source = ?", "ss", repo_uri, s->source))
		return -1;
	for (size_t i = 0; i < s->groups.n; i++) {
		if (ensure_group(db, s->groups.v[i], e))
			return -1;
		if (add_member(db, s->groups.v[i], repo_uri, e))
			return -1;
	}
	return 0;
}

static int link_repo(
    struct db *db, const char *source, const char *repo_uri, struct arena *a, struct err *e)
{
	struct source_row *v;
	size_t n;

	if (get_sources(db, &v, &n, a, e))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (sources_same(v[i].source, source, a) && link_source(db, &v[i], repo_uri, e))
			return -1;
	return 0;
}

int sources_link_repo(struct registry *r, const char *source, const char *repo_uri, struct err *e)
{
	struct arena *a = arena_new();
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, link_repo(db, source, repo_uri, a, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	arena_free(a);
	return rc;
}
