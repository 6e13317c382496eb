#include "coordinator/search/similar_hits.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/context.h"
#include "coordinator/search/meaning_threshold.h"
#include "coordinator/search/search.h"
#include "proto/base/die.h"

enum { DOCUMENTS_TYPICAL = 10000 };	/* if an old shard does not say how many it has */

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
		bool near = meant && v[i].cosine >= near_enough;
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

/* How many documents were compared with the question. */
static uint64_t documents_searched(const struct federated_search *s)
{
	uint64_t n = s->req.documents;

	for (size_t i = 0; !s->req.documents && i < s->found->n; i++)
		n += ((const struct search_res *)s->found->v[i].res)->documents;
	if (n)
		return n;
	return DOCUMENTS_TYPICAL;
}

void search_set_similar_apart(struct call *c, struct federated_search *s)
{
	double near_enough = meaning_threshold_get(c->co->meaning_threshold, documents_searched(s));

	s->matches = s->total;
	if (!strcmp(s->req.mode, "hybrid"))
		s->matches = similar_set_apart(s->all, s->total, near_enough, s->ask.keywords);
}
