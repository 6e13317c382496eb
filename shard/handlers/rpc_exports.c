#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/interfaces/exported_symbols.h"
#include "shard/interfaces/interface_cache.h"
#include "shard/interfaces/package_interfaces.h"

enum { PAGE_MAX = 5000, MAX_PACKAGES = 1000 };

static bool is_text(const char *wanted, const char *text)
{
	return !text_is_set(wanted) || !compare_texts(wanted, text);
}

static bool is_folder(const char *wanted, const char *folder)
{
	if (wanted && !strcmp(wanted, "."))
		return !text_is_set(folder);
	return is_text(wanted, folder);
}

static bool is_asked(const struct exports_req *q, const struct interface_ref *r)
{
	return is_text(q->ecosystem, r->ecosystem) && is_text(q->package, r->name) &&
	    is_folder(q->folder, r->folder);
}

static struct published_package published(const struct interface_ref *r)
{
	return (struct published_package){
		.ecosystem = r->ecosystem,
		.name = r->name,
		.version = r->version,
		.folder = text_or_null(r->folder),
		.problem = r->problem,
	};
}

int rpc_exports(struct shard *shard, struct index_reader *r, const struct exports_req *q,
    struct exports_res *out, struct arena *a, struct err *e)
{
	struct db *cache = interface_cache_open(r->data, r->db, r->info.graph_hash, e);
	const struct package_contents *found = NULL;
	struct exports_req page = *q;
	struct package_contents *all;
	size_t n;

	(void)shard;
	if (!cache)
		return -1;
	int rc = package_interfaces_contents(r->db, cache, a, &all, &n, e);
	db_close(cache);
	if (rc)
		return rc;
	out->packages.v = arena_many(a, MIN(n, MAX_PACKAGES) + 1, struct published_package);
	for (size_t i = 0; i < n && out->packages.n < MAX_PACKAGES; i++) {
		if (!is_asked(q, &all[i].ref))
			continue;
		found = &all[i];
		out->packages.v[out->packages.n++] = published(&all[i].ref);
	}
	page.limit = MIN(q->limit, PAGE_MAX);
	if (out->packages.n != 1 || !page.limit)
		return 0;
	return exported_symbols_page(r->db, found, &page, a, out, e);
}
