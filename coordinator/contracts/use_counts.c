#include "coordinator/contracts/use_counts.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/contracts/definition_uses.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"
#include "proto/net/crypto.h"

/* Definitions with uses: of a member in an answer, and of all. */
enum { PAGE = 20000, MAX_ROWS = 200000, MAX_ROUNDS = 32 };

struct counting {
	struct use_counts out;
	const char *repo_uri; /* of the definitions */
	const char *folder;
	struct {
		struct uses_req req;
		bool more; /* its answers go on */
	} * questions; /* of each member */
	size_t *at; /* of each reply: the index of the member */
	void (*then)(struct call *, struct use_counts *);
	void *state; /* the tool's */
};

static void ask(struct call *, struct counting *);

/* ---- rows ---- */

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(text_or_empty(folder));

	return !n || (!strncmp(path, folder, n) && path[n] == '/');
}

static void add_row(struct call *c, struct use_counts *out, struct counted_use x)
{
	if (out->n == out->cap) {
		size_t cap = out->cap * 2 + 64;
		struct counted_use *v = arena_many(c->a, cap, struct counted_use);
		if (out->n)
			memcpy(v, out->v, out->n * sizeof *v);
		out->v = v;
		out->cap = cap;
	}
	out->v[out->n++] = x;
}

static int compare_definitions(const struct counted_use *x, const char *path, const char *symbol)
{
	int c = strcmp(x->path, path);

	if (c)
		return c;
	return strcmp(x->symbol, symbol);
}

static int by_definition(const void *a, const void *b)
{
	const struct counted_use *x = a, *y = b;
	int c = compare_definitions(x, y->path, y->symbol);

	if (c)
		return c;
	return strcmp(x->repo_uri, y->repo_uri);
}

const struct counted_use *use_counts_of(
    const struct use_counts *u, const char *path, const char *symbol, size_t *n)
{
	size_t lo = 0, hi = u->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (compare_definitions(&u->v[mid], path, symbol) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*n = 0;
	while (lo + *n < u->n && !compare_definitions(&u->v[lo + *n], path, symbol))
		++*n;
	return u->v + lo;
}

const char *use_counts_hash(struct call *c, const struct use_counts *u)
{
	struct crypto_hash *h = crypto_hash_new();
	char *hex = arena_get(c->a, SHA256_HEX, 1);

	for (size_t i = 0; i < u->n; i++) {
		const struct counted_use *x = &u->v[i];
		crypto_hash_put(h, x->path, strlen(x->path) + 1);
		crypto_hash_put(h, x->symbol, strlen(x->symbol) + 1);
		crypto_hash_put(h, x->repo_uri, strlen(x->repo_uri) + 1);
		crypto_hash_put(h, &x->uses, sizeof x->uses);
	}
	crypto_hash_end(h, hex);
	return hex;
}

/* ---- questions ---- */

static void finish(struct call *c, struct counting *s)
{
	if (s->out.n)
		qsort(s->out.v, s->out.n, sizeof *s->out.v, by_definition);
	c->state = s->state;
	s->then(c, &s->out);
}

static void add_reason(struct counting *s, const char *reason)
{
	s->out.reasons.v[s->out.reasons.n++] = reason;
}

/* Take an answer of the i-th member. */
static void take(struct call *c, struct counting *s, size_t i, const struct fanout_reply *k)
{
	const struct uses_res *r = k->res;
	const char *unknown = definition_uses_unknown(c, s->repo_uri, k);
	struct uses_req *q = &s->questions[i].req;

	s->questions[i].more = false;
	if (unknown) {
		add_reason(s, unknown);
		if (k->e.code)
			return;
	}
	for (size_t j = 0; j < r->uses.n; j++) {
		const struct external_use *u = &r->uses.v[j];
		if (is_below(u->target_path, s->folder))
			add_row(c, &s->out,
			    (struct counted_use){ u->target_path, u->symbol, k->member->repo_uri, u->uses });
	}
	q->offset += r->uses.n;
	if (!r->uses.n || q->offset >= r->total)
		return;
	s->questions[i].more = s->out.n < MAX_ROWS && s->out.nasked < MAX_ROUNDS && !unknown;
	if (!s->questions[i].more && !unknown)
		add_reason(s,
		    arena_printf(c->a, "of the %llu definitions that %s uses, %llu were counted",
		        (unsigned long long)r->total, k->member->repo_uri, (unsigned long long)q->offset));
}

static void with_uses(struct call *c, struct fanout *f)
{
	struct counting *s = c->state;

	s->out.asked[s->out.nasked++] = f;
	for (size_t i = 0; i < f->n; i++)
		take(c, s, s->at[i], &f->v[i]);
	ask(c, s);
}

/* Ask all whose answers go on. */
static void ask(struct call *c, struct counting *s)
{
	struct member **m = arena_many(c->a, s->out.nmembers + 1, struct member *);
	const void **reqs = arena_many(c->a, s->out.nmembers + 1, const void *);
	size_t n = 0;

	for (size_t i = 0; i < s->out.nmembers; i++) {
		if (!s->questions[i].more)
			continue;
		m[n] = s->out.members[i];
		reqs[n] = &s->questions[i].req;
		s->at[n++] = i;
	}
	c->state = s;
	if (n)
		fanout(c, m, n, RPC_uses, NULL, reqs, (int)c->o->search_deadline_ms, with_uses);
	else
		finish(c, s);
}

void use_counts_find(struct call *c, const struct member *of, const char *folder,
    const struct consumers *k, void (*then)(struct call *, struct use_counts *))
{
	struct counting *s = arena_one(c->a, struct counting);
	struct use_counts *out = &s->out;

	s->repo_uri = of->repo_uri;
	s->folder = folder;
	s->then = then;
	s->state = c->state;
	out->nmembers = definition_uses_members(c, k, of->repo_uri, &out->members);
	out->reasons.v = arena_many(c->a, 3 * out->nmembers + 2, const char *);
	out->asked = arena_many(c->a, MAX_ROUNDS + 2, struct fanout *);
	if (k->grouped && !c->caller->everything)
		add_reason(s, "only the repositories that you may see were asked");
	if (!k->grouped)
		add_reason(s, "the repository is in no group, so no other one was asked");
	s->questions = arena_get(c->a, out->nmembers + 1, sizeof *s->questions);
	s->at = arena_many(c->a, out->nmembers + 1, size_t);
	for (size_t i = 0; i < out->nmembers; i++) {
		s->questions[i].more = true;
		s->questions[i].req.repo_uris.v = arena_one(c->a, const char *);
		s->questions[i].req.repo_uris.v[0] = of->repo_uri;
		s->questions[i].req.repo_uris.n = 1;
		s->questions[i].req.limit = PAGE;
	}
	ask(c, s);
}
