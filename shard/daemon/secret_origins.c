#include "shard/daemon/secret_origins.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/record.h"
#include "shard/base/options.h"
#include "shard/git/git_token.h"

static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help) \
	{ OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};

struct secrets *secret_origins_of(const struct options *o, struct arena *a)
{
	struct secrets *out = arena_one(a, struct secrets);
	size_t n;
	const struct secret_origin *v = options_list_secrets(rows, LEN(rows), o, &n, a);

	out->rows.v = arena_many(a, n, struct secret_row);
	for (size_t i = 0; i < n; i++) {
		const char *error = NULL;
		if (!strcmp(v[i].secret, "git-token"))
			error = git_token_config_error(o, a);
		out->rows.v[out->rows.n++] = (struct secret_row){ v[i].secret, v[i].from, error };
	}
	return out;
}
