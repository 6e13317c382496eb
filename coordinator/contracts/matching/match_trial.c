#include "coordinator/contracts/matching/match_trial.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/client_address.h"
#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"

/* Calls that more members send to one host tell no more. */
enum { OTHERS_MAX = 500 };

/* A call to a host. */
struct host_call {
	size_t member;
	const struct fact *fact;
	struct host_call *next;
};

struct match_trials {
	struct match_context w;
	struct map *by_host; /* struct host_call */
	struct match_result none, rows; /* of match_begin; of the last trial */
	struct arena *a; /* of the last trial */
};

static void index_hosts(struct match_trials *t)
{
	for (size_t i = t->w.n; i--;) {
		const struct contracts_res *r = t->w.m[i].facts;
		for (size_t k = r ? r->facts.n : 0; k--;) {
			const struct fact *f = &r->facts.v[k];
			bool usable = f->path && f->method && f->kind && f->file;
			if (!usable || !f->host || !match_text_equal(f->side, "consumes"))
				continue;
			struct host_call **at = (struct host_call **)map_at(t->by_host, f->host);
			struct host_call *c = arena_one(t->w.a, struct host_call);
			*c = (struct host_call){ i, f, *at };
			*at = c;
		}
	}
}

struct match_trials *match_trials_new(const struct match_member *m, size_t n, struct arena *a)
{
	struct match_trials *t = arena_one(a, struct match_trials);

	match_begin(&t->w, m, n, a, &t->none);
	t->a = arena_new();
	t->by_host = map_new();
	index_hosts(t);
	return t;
}

void match_trials_free(struct match_trials *t)
{
	if (!t)
		return;
	match_end(&t->w);
	match_result_free(&t->rows);
	map_free(t->by_host);
	arena_free(t->a);
}

const struct match_context *match_trials_context(const struct match_trials *t)
{
	return &t->w;
}

size_t match_trials_find(const struct match_trials *t, const char *repo_uri)
{
	size_t member = match_find_member(&t->w, repo_uri);

	if (member == t->w.n)
		return SIZE_MAX;
	return member;
}

static void add_to_address(struct match_context *w, struct call_site *s)
{
	if (match_has_unknown_server(s))
		address_index_add(w, s);
}

/* Whether all callers mean the same server by this host. */
static bool is_shared(const struct call_site *s)
{
	return s->host_class == HOST_EXTERNAL || s->host_class == HOST_UNREGISTERED;
}

/* Add what other members send to the same host. */
static void add_others(
    const struct match_trials *t, struct match_context *w, size_t except, const struct call_site *s)
{
	const struct host_call *c = map_get(t->by_host, text_or_empty(s->fact->host));

	for (size_t n = 0; c && n < OTHERS_MAX; c = c->next) {
		if (c->member == except)
			continue;
		add_to_address(w, match_site(w, c->member, c->fact));
		n++;
	}
}

/* A context of its own for the addresses of a trial. */
static struct match_context begin(struct match_trials *t, struct arena *a, struct match_result *out)
{
	struct match_context w = t->w;

	w.a = a;
	w.out = out;
	w.addresses = address_index_new();
	return w;
}

void match_trials_calls(struct match_trials *t, size_t member, struct match_result *out)
{
	size_t n;
	const struct fact **v = match_side(&t->w.m[member], "consumes", t->w.a, &n);
	struct call_site **s = arena_many(t->w.a, n + 1, struct call_site *);

	struct map *hosts = map_new();

	*out = (struct match_result){ 0 };
	struct match_context w = begin(t, t->w.a, out);
	for (size_t i = 0; i < n; i++) {
		s[i] = match_site(&w, member, v[i]);
		add_to_address(&w, s[i]);
		if (!is_shared(s[i]))
			continue;
		void **seen = map_at(hosts, v[i]->host);
		if (!*seen)
			add_others(t, &w, member, s[i]);
		*seen = s[i];
	}
	map_free(hosts);
	address_index_build(&w);
	for (size_t i = 0; i < n; i++)
		match_resolve(&w, s[i]);
	address_index_free(w.addresses);
}

const struct match_result *match_trial(
    struct match_trials *t, size_t member, const struct fact *was, const struct fact *now)
{
	size_t n;

	match_result_free(&t->rows);
	arena_reset(t->a);
	struct match_context w = begin(t, t->a, &t->rows);
	struct call_site *s = match_site(&w, member, now);
	const struct fact **v = match_side(&w.m[member], "consumes", w.a, &n);
	add_to_address(&w, s);
	for (size_t i = 0; i < n; i++)
		if (v[i] != was && texts_equal(v[i]->host, now->host))
			add_to_address(&w, match_site(&w, member, v[i]));
	if (is_shared(s))
		add_others(t, &w, member, s);
	address_index_build(&w);
	match_resolve(&w, s);
	address_index_free(w.addresses);
	return &t->rows;
}
