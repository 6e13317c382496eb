#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/manifests/packages.h"

enum { PAGE_MAX = 5000, NAMES = 200 };	/* facts in a page; names */

/* Files that atoll.yaml excludes say nothing to others, nor does what is only a part of a fact. */
#define EXPORTED_FACTS_SQL " where not exists (select 1 from settings x where x.key = 'atollexclude' and f.path glob x.value) and c.joined <> 4"

static int names(struct db *db, struct strs *out, struct arena *a, struct err *e)
{
	/*
	 * its own, what it says that it is called, and where it listens on the machine of whoever
	 * tries it out
	 */
	struct stmt *s = db_prep(db,
	    "select name from names union select s.value from settings s join files f on f.id = s.file"
	    " where s.key in ('springapplicationname', 'quarkusapplicationname', 'micronautapplicationname', 'otelservicename', 'composeservice', 'atollname',"
	    " 'springcloudconsuldiscoveryservicename', 'eurekainstanceappname', 'eurekainstancevirtualhostname', 'consulservicename', 'consulconfigservicename')"
	    " and not f.test and instr(s.value, '{') = 0 union"
	    " select max(s.value) from settings s join files f on f.id = s.file"	/* who deploys many is none of them */
	    " where s.key = 'kubernetesservice' and not f.test group by s.key having count(distinct s.value) = 1 union select ':' || s.value from settings s join files f on f.id = s.file"
	    " where s.key in ('serverport', 'quarkushttpport', 'micronautserverport', 'port', 'httpport', 'apiport', 'apport', 'composeport')"
	    " and not f.test and s.value glob '[1-9][0-9]*' and cast(s.value as integer) between 80 and 65535"
	    " order by 1 limit 200",
	    e);
	int rc;

	if (!s)
		return -1;
	out->v = arena_many(a, NAMES, const char *);
	while ((rc = db_step(s, e)) == 1)
		out->v[out->n++] = arena_str(a, db_str(s, 0));
	return rc;
}

/* Up to `limit` facts from the `from`-th on. */
static int facts(struct db *db, uint64_t from, uint64_t limit, struct contracts_res *out,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select fact from contracts c join files f on f.id = c.file" EXPORTED_FACTS_SQL
	    " order by f.path, c.line, c.fact limit ? offset ?",
	    e);
	int rc;

	if (!s)
		return -1;
	db_bind(s, "ii", (int64_t)limit, (int64_t)from);
	out->facts.v = arena_many(a, limit, struct fact);
	while ((rc = db_step(s, e)) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		if (codec_get(&rec_fact, &out->facts.v[out->facts.n++], p, n, a, e))
			return err_set(e, ERR_DB_ERROR, "a contract cannot be decoded");
	}
	return rc;
}

static int count(struct db *db, uint64_t *out, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select count(*) from contracts c join files f on f.id = c.file" EXPORTED_FACTS_SQL, e);
	int rc = s ? db_step(s, e) : -1;

	if (rc == 1)
		*out = (uint64_t)db_int(s, 0);
	else
		*out = 0;
	while (rc == 1)
		rc = db_step(s, e);
	return rc;
}

/* All packages, of which those of the page are kept: they are made of all manifests together. */
static int packages(struct db *db, uint64_t from, uint64_t limit, struct contracts_res *out,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select p.row, f.path from packages p join files f on f.id = p.file", e);
	struct { struct package *v; size_t n, cap; } rows = { 0 };
	int rc = s ? 0 : -1;

	while (s && !rc && (rc = db_step(s, e)) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		rows.v = grow(rows.v, &rows.cap, rows.n + 1, sizeof *rows.v);
		if (codec_get(&rec_package, &rows.v[rows.n], p, n, a, e))
			rc = err_set(e, ERR_DB_ERROR, "a package cannot be decoded");
		else
			rc = 0;
		rows.v[rows.n++].file = arena_str(a, db_str(s, 1));
	}
	size_t n = rc ? 0 : packages_resolve(rows.v, rows.n, a, &out->packages.v);
	free(rows.v);
	out->total_packages = n;
	from = MIN(from, n);
	out->packages.v += rc ? 0 : from;
	out->packages.n = MIN(limit, n - from);
	return rc;
}

int rpc_contracts(struct shard *shard, struct index_reader *r, const struct contracts_req *q,
    struct contracts_res *out, struct arena *a, struct err *e)
{
	uint64_t limit = q->limit < 1 ? 1 :
	    q->limit > PAGE_MAX       ? PAGE_MAX :
	                                q->limit,
	         from = q->after > 0 ? (uint64_t)q->after : 0;

	(void)shard;
	if (count(r->db, &out->total, e) || facts(r->db, from, limit, out, a, e) ||
	    packages(r->db, from > out->total ? from - out->total : 0, limit - out->facts.n, out, a, e))
		return -1;
	uint64_t next = from + out->facts.n + out->packages.n;
	if (next < out->total + out->total_packages)
		out->next = (int64_t)next;
	else
		out->next = 0;
	return names(r->db, &out->names, a, e);
}
