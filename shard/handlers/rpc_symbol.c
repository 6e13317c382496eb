#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/search/symbol_lookup.h"

int rpc_symbol(struct shard *shard, struct index_reader *r, const struct symbol_req *q,
    struct symbol_res *out, struct arena *a, struct err *e)
{
	const struct symbol_query asked = { .symbol = q->symbol, .path = q->path, .kind = q->kind };
	struct symbol_candidate *v;
	size_t n;

	(void)shard;
	if (symbol_lookup_all(r->db, &asked, &v, &n, a, e))
		return -1;
	out->total = n;
	out->symbols.n = MIN(n, q->limit);
	out->symbols.v = arena_many(a, out->symbols.n + 1, struct symbol);
	for (size_t i = 0; i < out->symbols.n; i++)
		out->symbols.v[i] = v[i].y;
	return 0;
}
