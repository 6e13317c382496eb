#include "coordinator/search/similar_hits.h"

#include <stdlib.h>

#include "coordinator/search/rank_fusion.h"
#include "proto/base/die.h"

/* Whether it has a word, a name or a path of the question. */
static bool has_words(const struct fused_hit *f)
{
	if (f->sources & (FUSE_LEXICAL | FUSE_SYMBOL | FUSE_PATH))
		return true;
	return f->lexical > 0 || f->hit->exact > 0 || f->hit->named > 0;
}

static bool any_has_words(const struct fused_hit *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (has_words(&v[i]))
			return true;
	return false;
}

size_t similar_set_apart(struct fused_hit *v, size_t n, double near_enough, bool keywords)
{
	struct fused_hit *apart = xcalloc(n + 1, sizeof *apart);
	bool meant = !keywords || any_has_words(v, n);
	size_t matches = 0, similar = 0;

	for (size_t i = 0; i < n; i++) {
		bool near = meant && v[i].relevance >= near_enough;
		v[i].similar = !near && !has_words(&v[i]);
		if (v[i].similar)
			apart[similar++] = v[i];
		else
			v[matches++] = v[i];
	}
	for (size_t i = 0; i < similar; i++)
		v[matches + i] = apart[i];
	for (size_t i = 0; i < n; i++)
		v[i].rank = i;
	free(apart);
	return matches;
}
