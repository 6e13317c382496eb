#include "coordinator/search/search_hint.h"

#include <string.h>

#include "coordinator/members/members.h"
#include "coordinator/search/search.h"
#include "coordinator/search/search_filters.h"
#include "proto/base/arena.h"

/* Makes room for two notes of each member. */
static void reserve_notes(struct call *c, struct coverage *cov, size_t members)
{
	struct member_note *v = arena_many(c->a, cov->notes.n + 2 * members, struct member_note);

	if (cov->notes.n)
		memcpy(v, cov->notes.v, cov->notes.n * sizeof *v);
	cov->notes.v = v;
}

static void add_note(
    struct coverage *cov, const struct member *m, const char *code, const char *message)
{
	cov->notes.v[cov->notes.n++] = (struct member_note){ m->repo_uri, code, message };
}

/* Documents that were not read, over all members. */
static uint64_t unchecked(const struct federated_search *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->found->n; i++)
		if (!s->found->v[i].e.code)
			n += ((const struct search_res *)s->found->v[i].res)->unchecked;
	return n;
}

void phrase_coverage(struct call *c, struct federated_search *s, struct coverage *cov)
{
	if (!s->ask.nphrases)
		return;
	reserve_notes(c, cov, s->found->n);
	for (size_t i = 0; i < s->found->n; i++) {
		const struct fanout_reply *k = &s->found->v[i];
		const struct search_res *res = k->res;
		if (k->e.code)
			continue;
		if (!res->verbatim)
			add_note(cov, k->member, "PHRASE_BY_WORDS",
			    "its shard is of an older release, which compares the words of quoted text and"
			    " ignores case and punctuation; upgrade it");
		if (res->unchecked)
			add_note(cov, k->member, "PHRASE_LIMIT",
			    arena_printf(c->a,
			        "%llu more documents have the words of the quoted text and were not read; a"
			        " longer quote or a path prefix leaves fewer",
			        (unsigned long long)res->unchecked));
	}
	if (unchecked(s))
		s->complete = false;
}

/* Why a search found nothing, or not all of it, if that is due to quoted text; or NULL. */
static const char *phrase_hint(struct call *c, const struct federated_search *s)
{
	if (!s->ask.nphrases)
		return NULL;
	if (unchecked(s))
		return arena_printf(c->a,
		    "More texts may contain the quoted text: %llu that have its words were not read. A"
		    " longer quote or a path prefix leaves fewer.",
		    (unsigned long long)unchecked(s));
	if (s->matches)
		return NULL;
	return "No text contains the quoted text as it is written: case, punctuation and blanks count,"
	       " and it begins and ends with whole words. Without quotes its words are searched for.";
}

const char *search_hint(struct call *c, const struct federated_search *s)
{
	const char *hint = NULL;

	if (!s->total)
		hint = filter_hint(s->found, s->req.path_prefix, c->a);
	if (!hint)
		hint = phrase_hint(c, s);
	bool by_words = strcmp(s->req.mode, "vector") != 0;
	bool only_similar = s->total && !s->matches;
	if (hint || !only_similar || !by_words || s->min_relevance > 0)
		return hint;
	return "Nothing matches: no text, name or path has a word of the question. `similar` is what is"
	       " nearest in meaning.";
}
