#include "coordinator/contracts/definition_uses.h"

#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

enum {
	MAX_SYMBOLS = 500,	/* definitions that are asked about */
	MAX_ENDS = 500		/* uses of one repository that are listed */
};

struct uses_search {
	struct definition_uses out;
	const struct member *of;
	struct uses_question q;
	void (*then)(struct call *, struct definition_uses *);
	void *state;			/* the tool's */
};

bool definition_uses_possible(const struct consumers *k, const char *repo_uri)
{
	for (size_t i = 0; i < k->nneeds; i++)
		if (!strcmp(k->needs[i].producer, repo_uri))
			return true;
	return false;
}

static void finish(struct call *c, struct uses_search *s)
{
	consumers_sort_unique(&s->out.ends);
	c->state = s->state;
	s->then(c, &s->out);
}

static uint64_t depth_of(const struct uses_search *s, const struct external_use *u)
{
	for (size_t i = 0; i < s->q.n; i++)
		if (!strcmp(s->q.v[i].symbol, u->symbol) && !strcmp(s->q.v[i].path, u->target_path))
			return s->q.v[i].depth;
	return 0;
}

static void add_end(
    struct call *c, struct uses_search *s, const char *repo_uri, const struct external_use *u)
{
	const char *symbol = NULL;

	if (u->in)
		symbol = arena_printf(c->a, "%s#%s", u->path, u->in);
	consumers_add_end(c, &s->out.ends,
	    (struct cross_end){
	        .relation = "used_by",
	        .repo_uri = repo_uri,
	        .path = u->path,
	        .start_line = u->line,
	        .end_line = u->line,
	        .symbol = symbol,
	        .contract = arena_printf(c->a, "%s %s", u->kind, u->symbol),
	        .confidence = u->confidence,
	        .why = arena_printf(c->a, "resolved by %s", u->reason),
	        .depth = depth_of(s, u) + 1,
	    });
}

static void add_reason(t_strs *reasons, const char *reason)
{
	reasons->v[reasons->n++] = reason;
}

static bool is_known(const struct uses_res *r, const char *repo_uri)
{
	for (size_t i = 0; i < r->known.n; i++)
		if (!strcmp(r->known.v[i], repo_uri))
			return true;
	return false;
}

const char *definition_uses_unknown(
    struct call *c, const char *repo_uri, const struct fanout_reply *k)
{
	const char *who = k->member->repo_uri;

	if (k->e.code)
		return arena_printf(c->a, "the uses in %s are not known: %s", who, k->e.msg);
	if (is_known(k->res, repo_uri))
		return NULL;
	return arena_printf(c->a,
	    "the uses in %s are not known: it needs a package of this repository, and its code "
	    "was not resolved against it yet; run group_sync",
	    who);
}

/* What an answer leaves open, or NULL. */
static const char *open_question(
    struct call *c, const struct uses_search *s, const struct fanout_reply *k)
{
	const struct uses_res *r = k->res;
	const char *who = k->member->repo_uri;
	const char *unknown = definition_uses_unknown(c, s->of->repo_uri, k);

	if (unknown)
		return unknown;
	if (r->total > r->uses.n && !s->q.paged)
		return arena_printf(c->a,
		    "only %zu of the %llu uses in %s are listed; find_references "
		    "lists all",
		    r->uses.n, (unsigned long long)r->total, who);
	if (r->unclear)
		return arena_printf(c->a,
		    "%s has %llu reference%s of that name whose receiver is not known", who,
		    (unsigned long long)r->unclear, r->unclear == 1 ? "" : "s");
	return NULL;
}

static void with_uses(struct call *c, struct fanout *f)
{
	struct uses_search *s = c->state;

	s->out.asked = f;
	for (size_t i = 0; i < f->n; i++) {
		const struct fanout_reply *k = &f->v[i];
		const struct uses_res *r = k->res;
		const char *open = open_question(c, s, k);
		s->out.late |= k->late;
		if (open)
			add_reason(&s->out.reasons, open);
		for (size_t j = 0; j < r->uses.n; j++)
			add_end(c, s, k->member->repo_uri, &r->uses.v[j]);
	}
	finish(c, s);
}

/* The members that need a package of the repository, or those whose packages it needs itself. */
static size_t related_members(struct call *c, const struct consumers *k, const char *repo_uri,
    bool needed, struct member **out)
{
	size_t n = 0;

	for (size_t i = 0; i < k->nneeds; i++) {
		const char *own = needed ? k->needs[i].consumer : k->needs[i].producer;
		const char *other = needed ? k->needs[i].producer : k->needs[i].consumer;
		if (strcmp(own, repo_uri))
			continue;
		struct member *m = members_get(c->members, c->caller, other);
		bool seen = !m;
		for (size_t j = 0; j < n; j++)
			seen |= out[j] == m;
		if (!seen)
			out[n++] = m;
	}
	return n;
}

size_t definition_uses_members(
    struct call *c, const struct consumers *k, const char *repo_uri, struct member ***out)
{
	*out = arena_many(c->a, k->nneeds + 1, struct member *);
	return related_members(c, k, repo_uri, false, *out);
}

static struct uses_req *request(struct call *c, const struct uses_search *s)
{
	struct uses_req *q = arena_one(c->a, struct uses_req);

	q->repo_uris.v = arena_one(c->a, const char *);
	q->repo_uris.v[q->repo_uris.n++] = s->of->repo_uri;
	q->symbols.n = MIN(s->q.n, MAX_SYMBOLS);
	q->symbols.v = arena_many(c->a, q->symbols.n + 1, struct used_symbol);
	for (size_t i = 0; i < q->symbols.n; i++)
		q->symbols.v[i] = (struct used_symbol){ s->q.v[i].path, s->q.v[i].symbol };
	q->target_path = s->q.path;
	q->each = true;
	q->limit = s->q.limit ? s->q.limit : MAX_ENDS;
	return q;
}

void definition_uses_find(struct call *c, const struct member *of, const struct consumers *k,
    const struct uses_question *q, void (*then)(struct call *, struct definition_uses *))
{
	struct uses_search *s = arena_one(c->a, struct uses_search);
	struct member **m;
	size_t nm = definition_uses_members(c, k, of->repo_uri, &m);

	*s = (struct uses_search){ .of = of, .q = *q, .then = then, .state = c->state };
	s->out.reasons.v = arena_many(c->a, nm + 2, const char *);
	bool asks = q->n || q->path;
	if (asks && k->grouped && !c->caller->everything)
		add_reason(&s->out.reasons, "only the repositories that you may see were asked");
	if (q->n > MAX_SYMBOLS)
		add_reason(&s->out.reasons,
		    arena_printf(c->a, "uses of %d of the %zu affected definitions were asked for",
		        MAX_SYMBOLS, q->n));
	c->state = s;
	if (nm && asks)
		fanout(c, m, nm, RPC_uses, request(c, s), NULL, q->ms, with_uses);
	else
		finish(c, s);
}

/* ---- the other way ---- */

struct outgoing_search {
	struct outgoing_uses out;
	const struct member *of;
	struct member **needed; /* whose packages it needs */
	size_t nneeded;
	int ms;
	struct {
		struct member *member;
		struct places_req req;
		size_t *at;
	} * asked;
	size_t nasked;
	void (*then)(struct call *, struct outgoing_uses *);
	void *state;
};

static void finish_outgoing(struct call *c, struct outgoing_search *s)
{
	c->state = s->state;
	s->then(c, &s->out);
}

static void with_places(struct call *c, struct fanout *f)
{
	struct outgoing_search *s = c->state;

	for (size_t i = 0; i < f->n; i++) {
		const struct places_res *r = f->v[i].res;
		if (f->v[i].e.code)
			add_reason(&s->out.reasons,
			    arena_printf(c->a, "where the definitions of %s are is not known: %s",
			        f->v[i].member->repo_uri, f->v[i].e.msg));
		size_t n = MIN(r->places.n, s->asked[i].req.symbols.n);
		for (size_t k = 0; !f->v[i].e.code && k < n; k++) {
			struct cross_end *e = &s->out.ends.v[s->asked[i].at[k]];
			e->start_line = r->places.v[k].line;
			e->end_line = r->places.v[k].end_line;
		}
	}
	finish_outgoing(c, s);
}

/* Ask for the place of the definition at the end of the list, together with others of `m`. */
static void want_place(struct call *c, struct outgoing_search *s, struct member *m, size_t most)
{
	const struct cross_end *e = &s->out.ends.v[s->out.ends.n - 1];
	size_t i = 0;

	while (i < s->nasked && s->asked[i].member != m)
		i++;
	if (i == s->nasked) {
		s->asked[i].member = m;
		s->asked[i].req.symbols.v = arena_many(c->a, most, struct used_symbol);
		s->asked[i].at = arena_many(c->a, most, size_t);
		s->nasked++;
	}
	size_t k = s->asked[i].req.symbols.n++;
	s->asked[i].req.symbols.v[k] = (struct used_symbol){ e->path, strchr(e->symbol, '#') + 1 };
	s->asked[i].at[k] = s->out.ends.n - 1;
}

/* Say what the answer about the repository's own uses leaves open. */
static void note_open_outgoing(
    struct call *c, struct outgoing_search *s, const struct fanout_reply *k)
{
	const struct uses_res *r = k->res;
	const char *who = s->of->repo_uri;

	if (k->e.code) {
		add_reason(&s->out.reasons,
		    arena_printf(
		        c->a, "what %s uses of other repositories is not known: %s", who, k->e.msg));
		return;
	}
	for (size_t i = 0; i < s->nneeded; i++)
		if (!is_known(r, s->needed[i]->repo_uri))
			add_reason(&s->out.reasons,
			    arena_printf(c->a,
			        "what %s uses of %s is not known: its code was not resolved against it "
			        "yet; run group_sync",
			        who, s->needed[i]->repo_uri));
	if (r->total > r->uses.n)
		add_reason(&s->out.reasons,
		    arena_printf(c->a, "only %zu of the %llu uses of other repositories are listed",
		        r->uses.n, (unsigned long long)r->total));
}

static void with_outgoing(struct call *c, struct fanout *f)
{
	struct outgoing_search *s = c->state;
	const struct uses_res *r = f->v[0].res;
	size_t most = r->uses.n + 1;

	s->out.reasons.v = arena_many(c->a, s->nneeded + most + 2, const char *);
	note_open_outgoing(c, s, &f->v[0]);
	s->asked = arena_get(c->a, most, sizeof *s->asked);
	s->out.lines = arena_many(c->a, most, uint64_t);
	for (size_t i = 0; !f->v[0].e.code && i < r->uses.n; i++) {
		const struct external_use *u = &r->uses.v[i];
		struct member *m = members_get(c->members, c->caller, u->repo_uri);
		if (!m)
			continue;
		s->out.lines[s->out.ends.n] = u->line;
		consumers_add_end(c, &s->out.ends,
		    (struct cross_end){
		        .relation = "uses",
		        .repo_uri = m->repo_uri,
		        .path = u->target_path,
		        .symbol = arena_printf(c->a, "%s#%s", u->target_path, u->symbol),
		        .contract = arena_printf(c->a, "%s %s", u->kind, u->symbol),
		        .confidence = u->confidence,
		        .why = arena_printf(c->a, "resolved by %s", u->reason),
		        .depth = 1,
		    });
		want_place(c, s, m, most);
	}
	struct member **v = arena_many(c->a, s->nasked + 1, struct member *);
	const void **reqs = arena_many(c->a, s->nasked + 1, const void *);
	for (size_t i = 0; i < s->nasked; i++) {
		v[i] = s->asked[i].member;
		reqs[i] = &s->asked[i].req;
	}
	if (s->nasked)
		fanout(c, v, s->nasked, RPC_places, NULL, reqs, s->ms, with_places);
	else
		finish_outgoing(c, s);
}

void definition_uses_outgoing(struct call *c, const struct member *m, const struct consumers *k,
    const char *path, uint64_t from, uint64_t to, int ms,
    void (*then)(struct call *, struct outgoing_uses *))
{
	struct outgoing_search *s = arena_one(c->a, struct outgoing_search);
	struct uses_req *q = arena_one(c->a, struct uses_req);
	struct member **asked = arena_one(c->a, struct member *);

	*s = (struct outgoing_search){ .of = m, .ms = ms, .then = then, .state = c->state };
	s->needed = arena_many(c->a, k->nneeds + 1, struct member *);
	s->nneeded = related_members(c, k, m->repo_uri, true, s->needed);
	*q = (struct uses_req){
		.path = path, .from_line = from, .to_line = to, .each = true, .limit = MAX_ENDS
	};
	*asked = members_get(c->members, c->caller, m->repo_uri);
	c->state = s;
	if (s->nneeded && *asked)
		fanout(c, asked, 1, RPC_uses, q, NULL, ms, with_outgoing);
	else
		finish_outgoing(c, s);
}
