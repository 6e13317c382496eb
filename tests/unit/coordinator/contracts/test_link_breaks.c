/*
 * Why there is no link: federations in which one thing is broken at random (BREAKS=N: so many).  The step that fails must be named
 * in nine of ten, and the line of atoll.yaml that it proposes must make the link.
 */
#include "coordinator/contracts/matching/match_internal.h"
#include "shard/contracts/specs/atoll_yaml.h"
#include "shard/facts/facts.h"
#include "tests/link_federations.h"
#include "tests/sanitized.h"

enum { TEXT = 200 };

/* ---- what may break ---- */

struct broken {
	struct federation f; /* with facts of its own */
	struct fact *call, *route; /* in them */
	size_t from, to;
	struct link_question q;
	const char *expected; /* steps between blanks */
};

static struct federation copy_of(const struct federation *f)
{
	struct federation copy = *f;

	for (size_t i = 0; i < f->n; i++) {
		const struct contracts_res *was = f->m[i].facts;
		struct contracts_res *now = arena_one(a, struct contracts_res);
		*now = *was;
		now->facts.v = arena_many(a, was->facts.n + 1, struct fact);
		memcpy(now->facts.v, was->facts.v, was->facts.n * sizeof *was->facts.v);
		copy.m[i].facts = now;
	}
	return copy;
}

static bool has_route(const struct match_member *m, const char *method, const char *path)
{
	for (size_t i = 0; i < m->facts->facts.n; i++) {
		const struct fact *f = &m->facts->facts.v[i];
		if (!strcmp(f->side, "provides") && !strcmp(f->path, path) &&
		    (!method || match_methods(method, f->method)))
			return true;
	}
	return false;
}

static bool is_http(const struct broken *b)
{
	return !strcmp(b->call->kind, "http");
}

static bool break_method(struct broken *b, uint64_t *seed)
{
	static const char *const methods[] = { "GET", "POST", "PUT", "PATCH", "DELETE" };
	const char *other = methods[random_number(seed, LEN(methods))];

	b->expected = "method";
	if (!is_http(b) || has_route(&b->f.m[b->to], other, b->route->path))
		return false;
	b->call->method = other;
	return true;
}

static bool break_prefix_added(struct broken *b, uint64_t *seed)
{
	static const char *const prefixes[] = { "/internal", "/zone/north/a/b", "/v7/x/y/z", "/t/{}" };

	b->expected = "prefix";
	b->call->path = arena_printf(
	    a, "%s%s", prefixes[random_number(seed, LEN(prefixes))], b->call->path);
	return is_http(b);
}

static bool break_prefix_removed(struct broken *b, uint64_t *seed)
{
	const char *path = b->call->path;

	(void)seed;
	b->expected = "prefix";
	if (!is_http(b) || *path != '/' || path[1] == '{' || !strchr(path + 1, '/'))
		return false;
	b->call->path = strchr(path + 1, '/');
	return true;
}

static bool break_host(struct broken *b, uint64_t *seed)
{
	static const char *const hosts[] = { "billing", "api.example.org", "nowhere-svc:8080",
		"MEMBER" };
	const char *other = hosts[random_number(seed, LEN(hosts))];

	b->expected = "host";
	if (!strcmp(b->call->kind, "topic"))
		return false;
	if (!strcmp(other, "MEMBER")) {
		size_t at = random_number(seed, (unsigned)b->f.n);
		if (at == b->to || at == b->from)
			return false;
		other = strrchr(b->f.m[at].name, '/') + 1;
	}
	b->call->host = other;
	return true;
}

static bool break_variable(struct broken *b, uint64_t *seed)
{
	(void)seed;
	b->expected = b->call->gap || b->call->reason ? "computed-url host" : "host";
	if (!b->call->raw || b->call->host || !is_http(b))
		return false;
	b->call->raw = "WAREHOUSE_URL + path";
	b->call->steps.n = 0;
	return true;
}

static const char *other_word(uint64_t *seed, const char *word, int len)
{
	switch (random_number(seed, 4)) {
	case 0: return "archive";
	case 1: return arena_printf(a, "%.*ss", len, word);
	case 2: return arena_printf(a, "x%.*s", len, word);
	default: return arena_printf(a, "%.*s-list", len, word);
	}
}

/* Another word in the place of one of the path's. */
static bool break_segment(struct broken *b, uint64_t *seed)
{
	const char *path = b->call->path, *ends = is_http(b) ? "/" : "./", *words[20];
	size_t n = 0;

	b->expected = "path";
	for (const char *s = path; *s && n < LEN(words); s += strcspn(s, ends)) {
		s += strspn(s, ends);
		bool has_hole = memchr(s, '{', strcspn(s, ends)) != NULL;
		if (*s && !has_hole)
			words[n++] = s;
	}
	if (!n)
		return false;
	const char *word = words[random_number(seed, (unsigned)n)];
	size_t len = strcspn(word, ends);
	b->call->path = arena_printf(
	    a, "%.*s%s%s", (int)(word - path), path, other_word(seed, word, (int)len), word + len);
	return true;
}

static void set_gap(struct fact *call)
{
	call->raw = "target + path";
	call->steps.n = 0;
	call->reason = "dynamic";
	call->why = "setting";
	call->gap = "os.environ['TARGET']";
	call->gap_line = call->line;
}

static bool break_path_computed(struct broken *b, uint64_t *seed)
{
	static const char *const paths[] = { "{}", "/{}", "/{*}", "{*}" };

	b->expected = "computed-url";
	b->call->path = paths[random_number(seed, LEN(paths))];
	if (random_number(seed, 2))
		b->call->host = NULL;
	set_gap(b->call);
	return is_http(b);
}

static bool break_host_computed(struct broken *b, uint64_t *seed)
{
	(void)seed;
	b->expected = "computed-url";
	b->call->host = NULL;
	set_gap(b->call);
	return is_http(b);
}

static bool break_route(struct broken *b, uint64_t *seed)
{
	struct contracts_res *r = (struct contracts_res *)b->f.m[b->to].facts;
	const char *method = b->route->method, *path = b->route->path, *kind = b->route->kind;
	size_t k = 0;

	(void)seed;
	for (size_t i = 0; i < r->facts.n; i++) {
		const struct fact *f = &r->facts.v[i];
		bool same = !strcmp(f->side, "provides") && !strcmp(f->path, path) &&
		    !strcmp(f->method, method) && !strcmp(f->kind, kind);
		if (!same)
			r->facts.v[k++] = *f;
	}
	r->facts.n = k;
	b->expected = has_route(&b->f.m[b->to], NULL, path) ? "method path" : "path no-routes";
	return true;
}

static bool break_index(struct broken *b, uint64_t *seed)
{
	bool from = random_number(seed, 2);
	size_t at = from ? b->from : b->to;

	b->expected = "not-indexed";
	b->f.m[at].facts = arena_one(a, struct contracts_res);
	if (from)
		b->q.from_lacks = "it has no index yet";
	else
		b->q.to_lacks = "it has no index yet";
	return true;
}

static bool break_call(struct broken *b, uint64_t *seed)
{
	struct contracts_res *r = (struct contracts_res *)b->f.m[b->from].facts;

	(void)seed;
	b->expected = "no-calls";
	*b->call = r->facts.v[--r->facts.n];
	return true;
}

/* Add what a repository's atoll.yaml with this line says. */
static void declare(struct match_member *m, const char *yaml)
{
	const struct contracts_res *was = m->facts;
	struct contracts_res *now = arena_one(a, struct contracts_res);
	struct facts f = { 0 };

	atoll_yaml_read("atoll.yaml", yaml, strlen(yaml), a, &f);
	if (f.limit)
		fail_msg("%s: %s", yaml, f.limit);
	*now = *was;
	now->facts.v = arena_many(a, was->facts.n + f.contracts.n, struct fact);
	if (was->facts.n)
		memcpy(now->facts.v, was->facts.v, was->facts.n * sizeof *was->facts.v);
	for (size_t i = 0; i < f.contracts.n; i++) {
		now->facts.v[now->facts.n] = f.contracts.v[i];
		now->facts.v[now->facts.n++].file = "atoll.yaml";
	}
	now->names.v = arena_many(a, was->names.n + f.settings.n, const char *);
	for (size_t i = 0; i < was->names.n; i++)
		now->names.v[i] = was->names.v[i];
	for (size_t i = 0; i < f.settings.n; i++)
		now->names.v[now->names.n++] = f.settings.v[i].value;
	m->facts = now;
}

static bool break_declared(struct broken *b, uint64_t *seed)
{
	struct match_member *from = &b->f.m[b->from];
	const char *to = strrchr(b->f.m[b->to].name, '/') + 1;

	b->expected = "declared-not";
	if (!is_http(b))
		return false;
	switch (random_number(seed, 3)) {
	case 0: declare(from, arena_printf(a, "not: [{to: %s}]", to)); break;
	case 1:
		declare(from, arena_printf(a, "not: [{to: %s, method: %s}]", to, b->call->method));
		break;
	default:
		declare(from,
		    arena_printf(
		        a, "not: [{to: %s, method: %s, path: '%s'}]", to, b->call->method, b->call->path));
	}
	return true;
}

static const struct {
	const char *name;
	bool (*apply)(struct broken *, uint64_t *seed);
} breaks[] = {
	{ "method changed", break_method },
	{ "prefix added", break_prefix_added },
	{ "prefix removed", break_prefix_removed },
	{ "host renamed", break_host },
	{ "variable renamed", break_variable },
	{ "segment changed", break_segment },
	{ "path computed", break_path_computed },
	{ "host computed", break_host_computed },
	{ "route removed", break_route },
	{ "not indexed", break_index },
	{ "call removed", break_call },
	{ "declared not", break_declared },
};

/* ---- asking ---- */

static struct fact *fact_at(
    const struct federation *f, const struct end *e, const char *side, size_t *member)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct contracts_res *r = f->m[i].facts;
		for (size_t k = 0; k < r->facts.n && !strcmp(f->m[i].repo_uri, e->repo_uri); k++) {
			struct fact *x = &r->facts.v[k];
			*member = i;
			if (!strcmp(x->side, side) && !strcmp(x->file, e->file) && x->line == e->line &&
			    !strcmp(x->path, e->path) && !strcmp(x->method, e->method))
				return x;
		}
	}
	fail_msg("%s:%llu is no fact", e->file, (unsigned long long)e->line);
	return NULL;
}

/* Whether a call at this line of one repository is linked to the other. */
static bool is_linked(
    const struct federation *f, const char *from, const char *place, const char *to)
{
	struct match_result o;
	bool found = false;

	match(f->m, f->n, a, &o);
	for (size_t i = 0; i < o.contracts.n; i++) {
		const struct contract *c = &o.contracts.v[i];
		const char *at = arena_printf(
		    a, "%s:%llu", c->consumer->file, (unsigned long long)c->consumer->line);
		found |= !strcmp(c->consumer->repo_uri, from) && !strcmp(c->producer->repo_uri, to) &&
		    (!place || !strcmp(at, place));
	}
	match_result_free(&o);
	return found;
}

/* One thing broken in one link of a federation; false if there is no such thing, or the link survives. */
static bool break_one(
    const struct federation *intact, size_t kind, uint64_t *seed, struct broken *b)
{
	struct match_result o;
	size_t n = 0;

	match(intact->m, intact->n, a, &o);
	for (size_t i = 0; i < o.contracts.n; i++)
		if (o.contracts.v[i].cross_repo)
			o.contracts.v[n++] = o.contracts.v[i];
	assert_true(n > 0);
	const struct contract link = o.contracts.v[random_number(seed, (unsigned)n)];
	match_result_free(&o);
	*b = (struct broken){ .f = copy_of(intact) };
	b->call = fact_at(&b->f, link.consumer, "consumes", &b->from);
	b->route = fact_at(&b->f, link.producer, "provides", &b->to);
	b->q = (struct link_question){ .from = b->f.m[b->from].repo_uri,
		.to = b->f.m[b->to].repo_uri,
		.limit = 10,
		.path = arena_printf(
		    a, "%s:%llu", link.consumer->file, (unsigned long long)link.consumer->line) };
	return breaks[kind].apply(b, seed) && !is_linked(&b->f, b->q.from, b->q.path, b->q.to);
}

static bool is_expected(const char *steps, const char *step)
{
	const char *at = step ? strstr(steps, step) : NULL;

	return at && (at == steps || at[-1] == ' ') && (!at[strlen(step)] || at[strlen(step)] == ' ');
}

/* Whether the proposed line of atoll.yaml joins the two: the call itself or the declared one. */
static bool does_join(struct broken *b, const struct link_candidate *c)
{
	struct federation f = b->f;

	for (size_t i = 0; i < f.n; i++)
		if (!strcmp(f.m[i].repo_uri, c->atoll_yaml_of))
			declare(&f.m[i], c->atoll_yaml);
	return is_linked(&f, b->q.from, b->q.path, c->route->repo_uri) ||
	    is_linked(&f, b->q.from, "atoll.yaml:1", c->route->repo_uri);
}

static struct {
	int asked, right, lines, joined, http;
} score[LEN(breaks)];

static int asked_for_all, right_for_all;

/* The same question for the two repositories, if nothing else joins them. */
static void ask_for_all(unsigned number, size_t kind, const struct broken *b)
{
	struct link_explanation out;
	struct link_question q = b->q;

	q.path = NULL;
	if (is_linked(&b->f, q.from, NULL, q.to))
		return;
	link_explain(b->f.m, b->f.n, &q, a, &out);
	bool right = is_expected(b->expected, out.step);
	asked_for_all++;
	right_for_all += right;
	if (!right)
		print_message("break %u (%s) of two repositories: %s instead of %s: %s\n", number,
		    breaks[kind].name, out.step ? out.step : "none", b->expected, out.why);
}

static void ask_one(unsigned number, size_t kind, struct broken *b)
{
	struct link_explanation out;

	link_explain(b->f.m, b->f.n, &b->q, a, &out);
	assert_int_equal(out.ncontracts, 0);
	ask_for_all(number, kind, b);
	bool right = is_expected(b->expected, out.step);
	score[kind].asked++;
	score[kind].right += right;
	if (!right)
		print_message("break %u (%s): %s instead of %s: %s\n", number, breaks[kind].name,
		    out.step ? out.step : "none", b->expected, out.why);
	for (size_t i = 0; i < out.nmissing; i++)
		for (size_t k = 0; k < out.missing[i].candidates.n; k++) {
			const struct link_candidate *c = &out.missing[i].candidates.v[k];
			if (strcmp(out.missing[i].kind, "http"))
				continue;
			score[kind].http++;
			score[kind].lines += c->atoll_yaml != NULL;
			if (c->atoll_yaml && !does_join(b, c))
				fail_msg("break %u (%s): `%s` does not join the two", number, breaks[kind].name,
				    c->atoll_yaml);
			score[kind].joined += c->atoll_yaml != NULL;
		}
}

static void the_step_that_fails_is_named(void **state)
{
	const char *said = getenv("BREAKS");
	unsigned wanted = said ? (unsigned)atoi(said) : SANITIZED ? 120 : 400, done = 0;
	int asked = 0, right = 0, lines = 0, http = 0;

	(void)state;
	for (unsigned number = 0; done < wanted; number++) {
		uint64_t seed = number * 7919 + 17;
		struct broken b;
		size_t kind = number % LEN(breaks);
		random_number(&seed, 2);
		const struct federation *intact = &made[random_number(&seed, LEN(made))];
		if (!break_one(intact, kind, &seed, &b))
			continue;
		ask_one(number, kind, &b);
		done++;
	}
	for (size_t i = 0; i < LEN(breaks); i++) {
		print_message("%-18s %3d of %3d, %3d lines of atoll.yaml for %3d candidates\n",
		    breaks[i].name, score[i].right, score[i].asked, score[i].lines, score[i].http);
		if (score[i].right * 100 < score[i].asked * 80)
			fail_msg("too few of `%s`", breaks[i].name);
		asked += score[i].asked;
		right += score[i].right;
		lines += score[i].lines;
		http += score[i].http;
	}
	print_message("the right step in %d of %d breaks, %.1f %%; %d lines for %d candidates\n", right,
	    asked, 100.0 * right / asked, lines, http);
	print_message("asked for the two repositories: the right step in %d of %d, %.1f %%\n",
	    right_for_all, asked_for_all, 100.0 * right_for_all / asked_for_all);
	assert_true(right * 100 >= asked * 90);
	assert_true(right_for_all * 100 >= asked_for_all * 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_step_that_fails_is_named),
	};

	return cmocka_run_group_tests(tests, link_federations_setup, contract_rows_teardown);
}
