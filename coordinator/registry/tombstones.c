#include "coordinator/registry/tombstones.h"

#include <string.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/record/record.h"
#include "proto/text/repo_uri.h"

/* What of it is gone for who says `hello`. */
enum tombstone_scope { TOMBSTONE_NONE, TOMBSTONE_REPO, TOMBSTONE_HOST };

/*
 * The rows that mean it: of the repository, of its host, and of its name, which is all that some
 * tell.
 */
#define TOMBSTONE_MATCH " from removed where repo_uri = ?1 and ((host = '' and replica = '') or host = nullif(?2, '') or replica = ?3)"

int tombstone_put(
    struct db *db, const char *repo_uri, const char *host, const char *replica, struct err *e)
{
	return db_run(db, e, "insert or ignore into removed (repo_uri, host, replica) values (?, ?, ?)",
	    "sss", repo_uri, host ? host : "", replica ? replica : "");
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
	while ((rc = db_step(s, e)) == 1)
		if (db_int(s, 0) || !*gone) {
			if (db_int(s, 0))
				*gone = TOMBSTONE_HOST;
			else
				*gone = TOMBSTONE_REPO;
		}
	return rc;
}

static int refuse(enum tombstone_scope gone, const struct hello *h, struct err *e)
{
	const char *host = h->host && *h->host ? h->host : h->replica,
	           *what = h->source && *h->source ? h->source : "its path or URL";

	if (gone == TOMBSTONE_REPO) {
		err_set(e, ERR_FORBIDDEN, "%.100s was removed from this coordinator", h->name);
		return err_hint(e, "`atoll repo add %.120s` admits it again.", what);
	}
	err_set(e, ERR_FORBIDDEN, "%.100s was taken from the host %.60s", h->name, host);
	return err_hint(e, "`atoll repo add --host %.60s %.120s` admits it again.", host, what);
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

/* Whether this is what the shard serves. */
static bool is_of(const struct source_row *s, const struct hello *h, struct arena *a)
{
	const char *uri = uri_of_remote(s->source, a);

	return (s->repo_uri && !strcmp(s->repo_uri, h->repo_uri)) ||
	    (uri && !strcmp(uri, h->repo_uri)) || (h->source && sources_same(s->source, h->source, a));
}

static bool is_on(const struct source_row *s, const char *host, const char *own, struct arena *a)
{
	const char *name;

	for (size_t i = 0; host && (name = sources_host_at(s->host, i, a)); i++)
		if (!strcmp(*name ? name : own, host))
			return true;
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
	for (size_t i = 0; i < n; i++)
		if (is_of(&v[i], h, a) && (gone == TOMBSTONE_REPO || is_on(&v[i], h->host, own, a))) {
			*again = true;
			return 0;
		}
	return refuse(gone, h, e);
}
