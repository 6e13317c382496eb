#include "coordinator/tools/grep_query.h"

#include <string.h>

#include "coordinator/calls/resolve_repo.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search_filters.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
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
	const struct search_query *query;
	struct query_options options;
	struct err *e;
};

static int compile(void *arg, const struct query_node *atom)
{
	const struct compilation *x = arg;

	if (atom->kind == QUERY_LANG)
		return 0;
	struct pattern *p = query_atom_pattern(x->query, atom, &x->options, x->e);
	if (!p)
		return -1;
	pattern_free(p);
	return 0;
}

int grep_query_read(struct call *c, const struct grep_in *in, const struct search_query **out)
{
	const struct search_query *q;

	if (check_arguments(c, in))
		return -1;
	if (in->query)
		q = search_query_parse(in->query, c->a, &c->e);
	else
		q = search_query_of_pattern(in->pattern, in->fixed_strings, in->ignore_case, c->a);
	struct compilation x = { q, { .word = in->word, .multiline = in->multiline }, &c->e };
	if (!q || search_query_each(q, compile, &x))
		return -1;
	if (strlen(search_query_print(q, c->a)) > QUERY_MAX_BYTES)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "query: with all escapes it has more than %d bytes; write a shorter one",
		    QUERY_MAX_BYTES);
	*out = in->query ? q : NULL;
	return 0;
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
