#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"
#include "shard/git/repo.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/interfaces/imported_modules.h"
#include "shard/interfaces/interface_cache.h"
#include "shard/interfaces/package_interfaces.h"
#include "shard/manifests/packages.h"
#include "shard/storage/package_store.h"

enum { PAGE_MAX = 5000, NAMES = 200, TAGS_MAX = 2000 }; /* facts in a page; names; tags */

/* Files that atoll.yaml excludes export nothing, nor does a mere part of a fact. */
#define EXPORTED_FACTS_SQL \
	" where not exists (select 1 from settings x" \
	" where x.key = 'atollexclude' and f.path glob x.value) and c.joined <> 4"

/* Reads the first column of a statement that has at most NAMES rows; it fails if there is none. */
static int read_names(struct stmt *s, struct strs *out, struct arena *a, struct err *e)
{
	int rc;

	if (!s)
		return -1;
	out->v = arena_many(a, NAMES, const char *);
	while ((rc = db_step(s, e)) == 1)
		out->v[out->n++] = arena_str(a, db_str(s, 0));
	return rc;
}

/*
 * The names of the service: the repository's own, those in its settings, and the ports on which it
 * listens on a developer's machine.  A repository that deploys several services is none of them.
 */
static int names(struct db *db, struct strs *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select name from names"
	    " union select s.value from settings s join files f on f.id = s.file"
	    " where s.key in ('springapplicationname', 'quarkusapplicationname',"
	    " 'micronautapplicationname', 'otelservicename', 'composeservice', 'atollname',"
	    " 'springcloudconsuldiscoveryservicename', 'eurekainstanceappname',"
	    " 'eurekainstancevirtualhostname', 'consulservicename', 'consulconfigservicename')"
	    " and not f.test and instr(s.value, '{') = 0"
	    " union select max(s.value) from settings s join files f on f.id = s.file"
	    " where s.key = 'kubernetesservice' and not f.test"
	    " group by s.key having count(distinct s.value) = 1"
	    " union select ':' || s.value from settings s join files f on f.id = s.file"
	    " where s.key in ('serverport', 'quarkushttpport', 'micronautserverport', 'port',"
	    " 'httpport', 'apiport', 'apport', 'composeport')"
	    " and not f.test and s.value glob '[1-9][0-9]*'"
	    " and cast(s.value as integer) between 80 and 65535"
	    " order by 1 limit 200",
	    e);

	return read_names(s, out, a, e);
}

/* The names that atoll.yaml declares, which are among the others. */
static int declared_names(struct db *db, struct strs *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select distinct s.value from settings s join files f on f.id = s.file"
	    " where s.key = 'atollname' and instr(s.value, '{') = 0 order by 1 limit 200",
	    e);

	return read_names(s, out, a, e);
}

/* Reads up to `limit` facts, starting with the `from`-th. */
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
	int rc;

	*out = 0;
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*out = (uint64_t)db_int(s, 0);
	return rc;
}

/* Resolves all packages, because they depend on all manifests, and returns those of the page. */
static int packages(struct db *db, uint64_t from, uint64_t limit, struct contracts_res *out,
    struct arena *a, struct err *e)
{
	struct package *rows;
	size_t nrows;

	if (packages_read_locked(db, &rows, &nrows, a, e))
		return -1;
	size_t n = packages_resolve(rows, nrows, a, &out->packages.v);
	out->total_packages = n;
	from = MIN(from, n);
	out->packages.v += from;
	out->packages.n = MIN(limit, n - from);
	return 0;
}

/* The interfaces of its packages, and what it includes and imports from others. */
static int interfaces(
    struct index_reader *r, struct contracts_res *out, struct arena *a, struct err *e)
{
	struct db *cache = interface_cache_open(r->data, r->db, r->info.graph_hash, e);

	if (!cache)
		return -1;
	int rc = package_interfaces_list(r->db, cache, a, &out->interfaces.v, &out->interfaces.n, e);
	if (!rc)
		rc = missing_includes(cache, a, &out->includes, e);
	if (!rc)
		rc = missing_imports(cache, a, &out->imports, e);
	db_close(cache);
	return rc;
}

/* Tags belong to the repository, not to a commit: without it there are none. */
static void tags(struct index_reader *r, struct contracts_res *out, struct arena *a)
{
	struct repo *repo = NULL;

	if (r->place)
		repo = index_reader_repo(r, NULL);
	if (repo)
		out->tags.n = repo_version_tags(repo, TAGS_MAX, a, &out->tags.v);
}

int rpc_contracts(struct shard *shard, struct index_reader *r, const struct contracts_req *q,
    struct contracts_res *out, struct arena *a, struct err *e)
{
	uint64_t limit = MIN(MAX(q->limit, 1), PAGE_MAX), from = 0, from_package = 0;

	(void)shard;
	if (q->after > 0)
		from = (uint64_t)q->after;
	if (count(r->db, &out->total, e) || facts(r->db, from, limit, out, a, e))
		return -1;
	if (from > out->total)
		from_package = from - out->total;
	if (packages(r->db, from_package, limit - out->facts.n, out, a, e))
		return -1;
	uint64_t next = from + out->facts.n + out->packages.n;
	out->next = 0;
	if (next < out->total + out->total_packages)
		out->next = (int64_t)next;
	if (!out->next && interfaces(r, out, a, e))
		return -1;
	if (!out->next)
		tags(r, out, a);
	out->branch = text_or_null(arena_str(a, r->info.branch));
	if (names(r->db, &out->names, a, e))
		return -1;
	return declared_names(r->db, &out->declared, a, e);
}
