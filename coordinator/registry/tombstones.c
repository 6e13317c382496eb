#include "coordinator/registry/tombstones.h"

#include <string.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/record/record.h"
#include "proto/text/repo_uri.h"

/* What was removed: nothing, the whole repository, or what this host ran of it. */
enum tombstone_scope { TOMBSTONE_NONE, TOMBSTONE_REPO, TOMBSTONE_HOST };

/*
 * The tombstones that apply to a `hello`: of its repository, its host, or its replica, because
 * older shards do not send their host.
 */
#define TOMBSTONE_MATCH \
	" from removed where repo_uri = ?1 and ((host = '' and replica = '')" \
	" or host = nullif(?2, '') or replica = ?3)"

int tombstone_put(
    struct db *db, const char *repo_uri, const char *host, const char *replica, struct err *e)
{
	return db_run(db, e,
	    "insert or ignore into removed (repo_uri, host, replica)"
	    " values (?, coalesce(?, ''), coalesce(?, ''))",
	    "sss", repo_uri, host, replica);
}

int tombstone_delete(struct db *db, const struct hello *h, struct err *e)
{
	return db_run(db, e, "delete" TOMBSTONE_MATCH, "sss", h->repo_uri, h->host, h->replica);
}

static int find(struct db *db, const struct hello *h, enum tombstone_scope *gone, struct err *e)
{
	struct stmt *s = db_prep(db, "select host <> '' or replica <> ''" TOMBSTONE_MATCH, e);
	int rc;

	*gone = TOMBSTONE_NONE;
	if (!s || db_bind(s, "sss", h->repo_uri, h->host, h->replica))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (db_int(s, 0))
			*gone = TOMBSTONE_HOST;
		else if (!*gone)
			*gone = TOMBSTONE_REPO;
	}
	return rc;
}

static int refuse(enum tombstone_scope gone, const struct hello *h, struct err *e)
{
	const char *host = h->replica, *source = "its path or URL";

	if (h->host && *h->host)
		host = h->host;
	if (h->source && *h->source)
		source = h->source;
	if (gone == TOMBSTONE_REPO) {
		err_set(e, ERR_FORBIDDEN, "%.100s was removed from this coordinator", h->name);
		return err_hint(e, "`atoll repo add %.120s` admits it again.", source);
	}
	err_set(e, ERR_FORBIDDEN, "%.100s was removed from the host %.60s", h->name, host);
	return err_hint(e, "`atoll repo add --host %.60s %.120s` admits it again.", host, source);
}

int tombstone_refuse(struct db *db, const struct hello *h, struct err *e)
{
	enum tombstone_scope gone;

	if (find(db, h, &gone, e))
		return -1;
	if (gone == TOMBSTONE_NONE)
		return 0;
	return refuse(gone, h, e);
}

/* Whether the shard serves this source. */
static bool is_source_of(const struct source_row *s, const struct hello *h, struct arena *a)
{
	if (s->repo_uri && !strcmp(s->repo_uri, h->repo_uri))
		return true;
	const char *uri = uri_of_remote(s->source, a);
	if (uri && !strcmp(uri, h->repo_uri))
		return true;
	return h->source && sources_same(s->source, h->source, a);
}

/* Whether the source is to run on `host`.  A source that names no host runs on `own`. */
static bool runs_on(const struct source_row *s, const char *host, const char *own, struct arena *a)
{
	const char *name;

	if (!host)
		return false;
	for (size_t i = 0; (name = sources_host_at(s->host, i, a)); i++) {
		if (!*name)
			name = own;
		if (!strcmp(name, host))
			return true;
	}
	return false;
}

int tombstone_check(struct registry *r, const struct hello *h, const char *own, bool *again,
    struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);
	struct source_row *v;
	enum tombstone_scope gone;
	size_t n;

	if (!db || registry_snapshot_end(r, find(db, h, &gone, e)))
		return -1;
	if (gone == TOMBSTONE_NONE)
		return 0;
	if (sources_all(r, &v, &n, a, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!is_source_of(&v[i], h, a))
			continue;
		if (gone == TOMBSTONE_REPO || runs_on(&v[i], h->host, own, a)) {
			*again = true;
			return 0;
		}
	}
	return refuse(gone, h, e);
}
