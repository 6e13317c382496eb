#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/git/owners.h"
#include "shard/handlers/rpc_handlers.h"

static const struct owners_limits far = { 20000, 20000, 1500 };

int rpc_owners(struct shard *shard, struct index_reader *r, const struct owners_req *q,
    struct owners_res *out, struct arena *a, struct err *e)
{
	char *path = arena_str(a, q->path);
	size_t n = strlen(path);

	(void)shard;
	while (n && path[n - 1] == '/')
		path[--n] = 0;
	const char *below = path;
	if (!strcmp(path, "."))
		below = "";
	struct repo *repo = index_reader_repo(r, e);
	if (!repo || owners_find(repo, r->info.commit, below, &far, q->limit, out, a, e))
		return -1;
	if (!out->commits && *path && out->complete)
		return err_set(e, ERR_NOT_FOUND, "no commit of the history changed `%.150s`", q->path);
	return 0;
}
