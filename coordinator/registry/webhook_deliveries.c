#include "coordinator/registry/webhook_deliveries.h"

#include <stddef.h>

#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/db/db.h"

enum { KEPT_PER_FORGE = 10000 };

static int get(struct db *db, const char *forge, const char *id, const char **job, struct arena *a,
    struct err *e)
{
	struct stmt *s = db_prep(db, "select job from deliveries where forge = ? and id = ?", e);
	int rc;

	if (!s || db_bind(s, "ss", forge, id))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*job = arena_str(a, db_str(s, 0));
	return rc;
}

int deliveries_get(struct registry *r, const char *forge, const char *id, const char **job,
    struct arena *a, struct err *e)
{
	*job = NULL;
	if (!id)
		return 0;
	struct db *db = registry_snapshot_begin(r, e);
	if (db)
		return registry_snapshot_end(r, get(db, forge, id, job, a, e));
	return -1;
}

static int put(struct db *db, const char *forge, const char *id, const char *job, struct err *e)
{
	if (db_run(db, e, "insert or ignore into deliveries (forge, id, job) values (?, ?, ?)", "sss",
	        forge, id, job))
		return -1;
	return db_run(db, e,
	    "delete from deliveries where forge = ?1"
	    " and seq <= (select max(seq) from deliveries where forge = ?1) - ?2",
	    "si", forge, (int64_t)KEPT_PER_FORGE);
}

int deliveries_put(
    struct registry *r, const char *forge, const char *id, const char *job, struct err *e)
{
	if (!id)
		return 0;
	int rc, tries = 0;
	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, put(db, forge, id, job, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}
