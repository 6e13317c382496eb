#include "shard/facts/facts.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

void facts_merge_contracts(
    struct facts *out, const struct fact *more, size_t nmore, struct arena *a)
{
	size_t n = out->contracts.n, at = 0, from = 0;
	struct fact *v = arena_many(a, n + nmore, struct fact);

	for (size_t i = 0; i < nmore; i++) {
		while (from < n && out->contracts.v[from].line <= more[i].line)
			v[at++] = out->contracts.v[from++];
		v[at++] = more[i];
	}
	while (from < n)
		v[at++] = out->contracts.v[from++];
	out->contracts.v = v;
	out->contracts.n = at;
}

void facts_append_locals(struct facts *out, const struct local *more, size_t nmore, struct arena *a)
{
	struct local *v = arena_many(a, out->locals.n + nmore, struct local);

	if (out->locals.n)
		memcpy(v, out->locals.v, out->locals.n * sizeof *v);
	if (nmore)
		memcpy(v + out->locals.n, more, nmore * sizeof *v);
	out->locals.v = v;
	out->locals.n += nmore;
}

int64_t fact_joined(const struct fact *f, int64_t how)
{
	static const char *const sides[] = { "provides", "consumes", "forwards", "denies" };

	if (f->scope && !strcmp(f->scope, SCOPE_GENERATED))
		return 4;
	for (size_t i = 0; i < LEN(sides); i++)
		if (!strcmp(sides[i], f->side))
			return how;
	return 4;	/* a part from which other facts are composed */
}
