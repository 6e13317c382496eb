#include "coordinator/tools/grep_query.h"

#include <string.h>

#include "coordinator/calls/context.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/members/members.h"
#include "coordinator/members/term_statistics.h"
#include "coordinator/search/search_filters.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/pattern/grams.h"
#include "proto/pattern/pattern.h"
#include "proto/query/search_query.h"

/* ---- arguments ---- */

static int check_arguments(struct call *c, const struct grep_in *in)
{
	if (!in->pattern && !in->query)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "`pattern`: a regular expression is missing; or give `query`, such as `needle lang:go`");
	if (in->pattern && in->query)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "`query`: it stands instead of `pattern`; give one of the two");
	if (in->query && in->fixed_strings)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "`fixed_strings`: not together with `query`, whose words are texts");
	if (in->query && in->ignore_case)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "`ignore_case`: not together with `query`; write case:no in the query");
	return 0;
}

/* ---- atoms ---- */

struct compilation {
	const struct grep_patterns *to;
	struct query_options options;
	struct err *e;
};

static int compile(void *arg, const struct query_node *atom)
{
	const struct compilation *x = arg;

	if (atom->kind == QUERY_LANG)
		return 0;
	struct pattern *p = query_atom_pattern(x->to->query, atom, &x->options, x->e);
	if (!p)
		return -1;
	x->to->v[atom->atom] = p;
	return 0;
}

void grep_query_free(struct grep_patterns *p)
{
	for (size_t i = 0; p->query && i < p->query->natoms; i++)
		pattern_free(p->v[i]);
	*p = (struct grep_patterns){ 0 };
}

int grep_query_read(struct call *c, const struct grep_in *in, struct grep_patterns *out)
{
	const struct search_query *q;

	*out = (struct grep_patterns){ 0 };
	if (check_arguments(c, in))
		return -1;
	if (in->query)
		q = search_query_parse(in->query, c->a, &c->e);
	else
		q = search_query_of_pattern(in->pattern, in->fixed_strings, in->ignore_case, c->a);
	if (!q)
		return -1;
	*out = (struct grep_patterns){ q, arena_many(c->a, q->natoms + 1, struct pattern *) };
	struct compilation x = { out, { .word = in->word, .multiline = in->multiline }, &c->e };
	if (search_query_each(q, compile, &x))
		return -1;
	if (strlen(search_query_print(q, c->a)) > QUERY_MAX_BYTES)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "query: with all escapes it has more than %d bytes; write a shorter one",
		    QUERY_MAX_BYTES);
	return 0;
}

struct sketch {
	struct call *c;
	const struct grep_patterns *p;
	const struct member *member;
	uint64_t generation;
};

static bool rules_out(const struct sketch *x, const struct query_node *node)
{
	bool all = node->kind == QUERY_ALL;

	if (node->kind == QUERY_TEXT)
		return stats_rules_out_grams(
		    x->c->co->stats, x->member, x->generation, pattern_grams(x->p->v[node->atom]));
	if (!all && node->kind != QUERY_ONE)
		return false;
	for (size_t i = 0; i < node->nparts; i++)
		if (rules_out(x, node->parts[i]) == all)
			return all;
	return !all;
}

bool grep_query_rules_out(
    struct call *c, const struct grep_patterns *p, const struct member *m, uint64_t generation)
{
	return rules_out(&(struct sketch){ c, p, m, generation }, p->query->root);
}

struct language_check {
	struct call *c;
	const struct resolved_repos *members;
};

static int check_language(void *arg, const struct query_node *atom)
{
	struct language_check *x = arg;
	const t_strs one = { (const char *[]){ atom->text }, 1 };

	if (atom->kind != QUERY_LANG)
		return 0;
	if (!filter_languages(x->c, x->members->v, x->members->n, &one))
		return 0;
	return err_add(&x->c->e, "query: column %zu", atom->column);
}

int grep_query_check_languages(
    struct call *c, const struct search_query *q, const struct resolved_repos *members)
{
	return search_query_each(q, check_language, &(struct language_check){ c, members });
}

/* ---- members ---- */

struct member_decision {
	const struct search_query *query;
	const struct member *member;
};

static bool found(struct pattern_matcher *m, const char *text)
{
	size_t start, end;

	return pattern_next(m, text, strlen(text), 0, &start, &end) == PATTERN_FOUND;
}

/* repo: holds if the name or the repo_uri has a match. */
static int decide_repo(void *arg, const struct query_node *atom)
{
	static const struct query_options plain = { 0 };
	const struct member_decision *d = arg;
	struct err ignored = { 0 }; /* grep_query_read has compiled it */

	if (atom->kind != QUERY_REPO)
		return -1;
	struct pattern *p = query_atom_pattern(d->query, atom, &plain, &ignored);
	if (!p)
		return 0;
	struct pattern_matcher *m = pattern_matcher_new(p, NULL, NULL);
	bool holds = found(m, d->member->name) || found(m, d->member->repo_uri);
	pattern_matcher_free(m);
	pattern_free(p);
	return holds;
}

const char *grep_query_for(struct call *c, const struct search_query *q, const struct member *m)
{
	struct member_decision d = { q, m };
	const struct search_query *left = search_query_decide(q, decide_repo, &d, c->a);

	if (left->root->kind == QUERY_FALSE)
		return NULL;
	return search_query_print(left, c->a);
}
