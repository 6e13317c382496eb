#include "proto/base/arena.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/codec.h"
#include "shard/rpc.h"

enum { LARGEST = 5000, NAMES = 200 };	/* facts in a page; names */

static int names(struct db *db, struct strs *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select name from names order by name limit 200", e);
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
	struct stmt *s = db_prep(r->db, "select id, fact from contracts where id > ? order by id limit ?", e);
	int rc;

	(void)shard;
	if (!s)
		return -1;
	db_bind(s, "ii", q->after, (int64_t)limit + 1);
	out->facts.v = arena_many(a, limit, struct fact);
	int64_t last = 0;
	while ((rc = db_step(s, e)) == 1) {
		size_t n;
		const void *p = db_blob(s, 1, &n);
		if (out->facts.n == limit) {
			out->next = last;
			continue;
		}
		last = db_int(s, 0);
		if (codec_get(&rec_fact, &out->facts.v[out->facts.n++], p, n, a, e))
			return err_set(e, ERR_DB_ERROR, "contract %lld cannot be decoded", (long long)last);
	}
	if (rc < 0 || !(s = db_prep(r->db, "select count(*) from contracts", e)) || (rc = db_step(s, e)) < 0)
		return -1;
	out->total = rc == 1 ? (uint64_t)db_int(s, 0) : 0;
	while (rc == 1)
		rc = db_step(s, e);
	return rc ? rc : names(r->db, &out->names, a, e);
}
