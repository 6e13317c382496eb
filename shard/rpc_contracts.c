#include "proto/base/arena.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/codec.h"
#include "shard/rpc.h"

enum { LARGEST = 5000, NAMES = 200 };	/* facts in a page; names */

static int names(struct db *db, struct strs *out, struct arena *a, struct err *e)
{
	/* its own, what it says that it is called, and where it listens on the machine of whoever tries it out */
	struct stmt *s = db_prep(db, "select name from names union select s.value from settings s join files f on f.id = s.file"
	    " where s.key in ('springapplicationname', 'quarkusapplicationname', 'micronautapplicationname', 'otelservicename')"
	    " and not f.test and instr(s.value, '{') = 0 union select ':' || s.value from settings s join files f on f.id = s.file"
	    " where s.key in ('serverport', 'quarkushttpport', 'micronautserverport', 'port', 'httpport', 'apiport', 'apport')"
	    " and not f.test and s.value glob '[1-9][0-9]*' and cast(s.value as integer) between 80 and 65535"
	    " order by 1 limit 200", e);
	int rc;

	if (!s)
		return -1;
	out->v = arena_many(a, NAMES, const char *);
	while ((rc = db_step(s, e)) == 1)
		out->v[out->n++] = arena_str(a, db_str(s, 0));
	return rc;
}

int rpc_contracts(struct shard *shard, struct reader *r, const struct contracts_req *q, struct contracts_res *out,
    struct arena *a, struct err *e)
{
	uint64_t limit = q->limit < 1 ? 1 : q->limit > LARGEST ? LARGEST : q->limit;
	struct stmt *s = db_prep(r->db, "select fact from contracts c join files f on f.id = c.file"
	    " order by f.path, c.line, c.fact limit ? offset ?", e);
	int rc;

	(void)shard;
	if (!s)
		return -1;
	int64_t from = q->after > 0 ? q->after : 0;
	db_bind(s, "ii", (int64_t)limit + 1, from);
	out->facts.v = arena_many(a, limit, struct fact);
	while ((rc = db_step(s, e)) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		if (out->facts.n == limit)
			out->next = from + (int64_t)limit;
		else if (codec_get(&rec_fact, &out->facts.v[out->facts.n++], p, n, a, e))
			return err_set(e, ERR_DB_ERROR, "a contract cannot be decoded");
	}
	if (rc < 0 || !(s = db_prep(r->db, "select count(*) from contracts", e)) || (rc = db_step(s, e)) < 0)
		return -1;
	out->total = rc == 1 ? (uint64_t)db_int(s, 0) : 0;
	while (rc == 1)
		rc = db_step(s, e);
	return rc ? rc : names(r->db, &out->names, a, e);
}
