/*
 * The requests about interfaces of packages and uses of other repositories' definitions:
 * shard/uses/USES.md.
 */
#include <malloc.h>
#include <pthread.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/interfaces/interface_cache.h"
#include "shard/interfaces/package_interfaces.h"
#include "shard/uses/external_files.h"
#include "shard/uses/reference_finder.h"
#include "shard/uses/use_finder.h"
#include "shard/uses/use_store.h"

enum { CHUNK = 256 << 10, PAGE_MAX = 20000 };

int rpc_interface(struct shard *shard, struct index_reader *r, const struct interface_req *q,
    struct interface_res *out, struct arena *a, struct err *e)
{
	struct db *cache = interface_cache_open(r->data, r->db, r->info.graph_hash, e);
	struct bytes all;

	(void)shard;
	if (!cache)
		return -1;
	int rc = package_interface_pack(r->db, cache, q->hash, a, &all, e);
	db_close(cache);
	if (rc)
		return rc;
	if (q->offset > all.n)
		return err_set(e, ERR_INVALID_INPUT,
		    "offset: %llu is beyond the %zu bytes of the interface", (unsigned long long)q->offset,
		    all.n);
	out->size = all.n;
	out->chunk.p = (const char *)all.p + q->offset;
	out->chunk.n = MIN(all.n - q->offset, CHUNK);
	return 0;
}

/* One request at a time resolves, or changes the store. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static int find_uses(struct index_reader *r, struct db *store, struct arena *a, struct err *e)
{
	struct external_repository *v;
	struct found_uses uses = { 0 };
	char key[SHA256_HEX];
	size_t n;

	if (use_store_key(store, r->info.extractor, r->info.graph_hash, key, e))
		return -1;
	if (use_store_is_current(store, key, e) || e->code)
		return e->code ? -1 : 0;
	int rc = use_store_interfaces(store, a, &v, &n, e);
	if (!rc && n)
		rc = uses_find(r->db, v, n, a, &uses, e);
	if (!rc)
		rc = use_store_replace(store, v, &uses, key, r->info.graph_hash, e);
	found_uses_free(&uses);
	return rc;
}

static int use_interfaces(struct index_reader *r, const struct use_interfaces_req *q,
    struct use_interfaces_res *out, struct arena *a, struct err *e)
{
	struct db *store = use_store_open(r->data, e);

	if (!store)
		return -1;
	int rc = use_store_want(store, q, &out->missing, a, e);
	bool resolves = !out->missing.n || q->anyway;
	if (!rc && resolves)
		rc = find_uses(r, store, a, e);
	if (!rc && resolves)
		rc = use_store_totals(store, a, out, e);
	db_close(store);
	return rc;
}

int rpc_use_interfaces(struct shard *shard, struct index_reader *r,
    const struct use_interfaces_req *q, struct use_interfaces_res *out, struct arena *a,
    struct err *e)
{
	(void)shard;
	pthread_mutex_lock(&writing);
	int rc = use_interfaces(r, q, out, a, e);
	pthread_mutex_unlock(&writing);
	malloc_trim(0);		/* a program of all files was in memory */
	return rc;
}

int rpc_put_interface(struct shard *shard, struct index_reader *r,
    const struct put_interface_req *q, struct put_interface_res *out, struct arena *a,
    struct err *e)
{
	(void)shard;
	(void)a;
	pthread_mutex_lock(&writing);
	struct db *store = use_store_open(r->data, e);
	int rc = -1;
	if (store)
		rc = use_store_put(store, q, &out->have, e);
	db_close(store);
	pthread_mutex_unlock(&writing);
	return rc;
}

int rpc_uses(struct shard *shard, struct index_reader *r, const struct uses_req *q,
    struct uses_res *out, struct arena *a, struct err *e)
{
	struct uses_req page = *q;
	struct db *store = use_store_read(r->data, e);

	(void)shard;
	page.limit = MIN(MAX(q->limit, 1), PAGE_MAX);
	if (!store)		/* no coordinator has given it any interface yet */
		return e->code ? -1 : 0;
	int rc = use_store_query(store, &page, r->info.graph_hash, a, out, e);
	db_close(store);
	return rc;
}

int rpc_references(struct shard *shard, struct index_reader *r, const struct references_req *q,
    struct references_res *out, struct arena *a, struct err *e)
{
	struct references_req page = *q;

	(void)shard;
	page.limit = MIN(MAX(q->limit, 1), PAGE_MAX);
	return references_find(r->db, &page, index_reader_until(r, 70), a, out, e);
}
