#include "coordinator/search/search_evidence.h"

#include "coordinator/calls/resolve_repo.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search.h"
#include "coordinator/search/search_filters.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"
enum { COLLECTIONS = 16 };

struct federated_search *evidence_search(struct call *c, const struct scope *scope,
    const char *repo, const char *repo_uri, const char *query, double min_score)
{
	struct federated_search *s = arena_one(c->a, struct federated_search);
	struct resolved_repos p;

	if (search_check(c, query, NULL) || filter_score(c, min_score) ||
	    resolve_scope(c, scope, repo, repo_uri, &p))
		return NULL;
	s->members = p.v;
	s->nmembers = p.n;
	s->req = (struct search_req){ .query = query };
	s->min_relevance = min_score;
	s->texts = true;
	return s;
}

static struct evidence evidence_of(
    struct call *c, const struct member *m, const struct fused_hit *f, const struct snippet *t)
{
	const struct hit *h = f->hit;
	struct evidence x = {
		.repo = "(unknown)",
		.repo_uri = m->repo_uri,
		.score = f->relevance,
		.path = h->path,
		.startLine = h->start_line,
		.endLine = h->end_line,
		.snippet = text_or_empty(t->text),
		.symbol = text_or(h->qualified, h->symbol),
	};

	if (members_get(c->members, c->caller, m->repo_uri))
		x.repo = resolve_handle(c, m);
	if (t->start_line)
		x.startLine = t->start_line;
	if (t->end_line)
		x.endLine = t->end_line;
	return x;
}

struct evidence *evidence_list(struct call *c, const struct federated_search *s)
{
	struct evidence *v = arena_many(c->a, s->n, struct evidence);

	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = s->found->v[s->v[i].member].member;
		v[i] = evidence_of(c, m, &s->v[i], &s->snippets[i]);
	}
	return v;
}

struct scope_done *evidence_scope(
    struct call *c, const struct federated_search *s, const struct scope *asked)
{
	struct scope_done *d = arena_one(c->a, struct scope_done);

	d->type = "repo";
	if (asked)
		d->type = asked->type;
	d->repos.n = s->nmembers;
	d->repos.v = arena_many(c->a, s->nmembers, const char *);
	for (size_t i = 0; i < s->nmembers; i++)
		d->repos.v[i] = resolve_handle(c, s->members[i]);
	return d;
}

const char *evidence_collection(struct call *c, const struct federated_search *s)
{
	const char *all = "";

	for (size_t i = 0; i < s->nmembers && i < COLLECTIONS; i++)
		all = arena_printf(c->a, "%s%s%s", all, i ? "," : "", s->members[i]->collection);
	if (s->nmembers > COLLECTIONS)
		return arena_printf(c->a, "%s,…", all);
	return all;
}

int evidence_fail(struct call *c, const struct fanout_reply *k)
{
	struct member_view v;

	c->e = k->e;
	members_view(c->members, k->member, &v, c->a);
	if (k->e.code == ERR_UNAVAILABLE && !v.stamp) {	/* repeating the call would not help */
		err_set(&c->e, ERR_NO_INDEX, "%s has no index yet, and %s", k->member->name, k->e.msg);
		err_hint(&c->e, "Run `atoll repo analyze %s --wait`.", k->member->name);
	}
	return -1;
}
