/* Properties of the matcher, over generated systems (MATCH_SYSTEMS=N: so many); a failure names the number of its system. */
#include "coordinator/contracts/paths/match_route_index.h"
#include "tests/generated_sources.h"
#include "tests/contract_rows.h"
#include "tests/sanitized.h"

enum { MEMBERS = 7, FACTS = 30 };

static unsigned systems = SANITIZED ? 40 : 120;

static const char *pick(uint64_t *seed, const char *const *v, size_t n)
{
	return v[random_number(seed, (unsigned)n)];
}
#define PICK(seed, v) pick(seed, v, LEN(v))

/* A rule of a gateway. */
static void made_up_forward(uint64_t *seed, const char *root, struct fact *f)
{
	static const char *const words[] = { "users", "orders", "items", "api", "api/v1" };
	static const char *const tails[] = { "/{*}", "/{*}", "{*}", "/{}/{*}", "", "/{}" };
	static const char *const tos[] = { NULL, NULL, "/{*}", "/users/{*}", "/x/{1}/{*}", "/items" };
	static const char *const targets[] = { "m1", "m2:80", "m3-service", "m4", "{}", "localhost:80", "api.example.com", "unknown" };
	static const char *const raws[] = { NULL, NULL, "http://${M1_HOST}/", "http://m5" };
	static const char *const ats[] = { NULL, NULL, NULL, "api.example.com", "*.example.com" };

	f->side = "forwards";
	f->method = "ANY";
	f->path = random_number(seed, 8) ? arena_printf(a, "%s/%s%s", root, PICK(seed, words), PICK(seed, tails)) :
	    arena_printf(a, "%s/{*}", root);
	f->to = PICK(seed, tos);
	f->host = PICK(seed, targets);
	f->raw = PICK(seed, raws);
	const char *at = PICK(seed, ats);
	f->at = *root ? NULL : at;	/* who answers for a host that others call is no stranger */
}

static struct fact made_up_fact(uint64_t *seed, bool provides, const char *root)
{
	static const char *const words[] = { "users", "orders", "items", "users", "tags", "health" };
	static const char *const tails[] = { "", "", "/{}", "/{}/items", "/{*}", "/feed", "/{}/tags/{}", "{*}" };
	static const char *const roots[] = { "", "", "/api", "/api/v1", "/{}" };
	static const char *const methods[] = { "GET", "GET", "POST", "ANY", "HEAD" };
	static const char *const hosts[] = { NULL, NULL, "{}", "m1", "m2:80", "m3-service", "api.example.com", "unknown", "localhost:80" };
	static const char *const exchanges[] = { NULL, "events", "mail" }, *const brokers[] = { "test", "test", "rabbitmq", "sns", "sqs" };
	static const char *const raws[] = { NULL, "M1_URL + path", "config.m4Uri", "x + y" };
	const char *tail = PICK(seed, tails), *word = PICK(seed, words);
	const char *path = random_number(seed, 12) && !*root ? arena_printf(a, "%s/%s%s", PICK(seed, roots), word, tail) :
	    arena_printf(a, "%s%s", root, PICK(seed, roots));
	unsigned kind = random_number(seed, 12);
	struct fact f = fact(provides ? "provides" : "consumes", "http", PICK(seed, methods), *path ? path : "/",
	    provides ? NULL : PICK(seed, hosts));

	f.raw = PICK(seed, raws);
	if (*root)	/* a path that ends like others' would be no stranger's: an address is one server */
		f.path = arena_printf(a, "%s/else-%s", f.path, word);
	if (kind == 0) {
		f.kind = "topic";
		f.method = provides ? "SUBSCRIBE" : "PUBLISH";
		f.path = arena_printf(a, "%s.%s", PICK(seed, words), *root ? "else" : PICK(seed, words));
		f.host = PICK(seed, exchanges);
		f.framework = PICK(seed, brokers);
	} else if (kind == 3) {
		f.side = "forwards";
		f.kind = "topic";
		f.method = "SUBSCRIBE";
		f.path = arena_printf(a, "%s.%s", PICK(seed, words), *root ? "else" : PICK(seed, words));
		f.to = arena_printf(a, "%s.%s", PICK(seed, words), *root ? "else" : PICK(seed, words));
		f.host = NULL;
	} else if (kind == 1) {
		f.kind = "grpc";
		f.method = "RPC";
		f.path = arena_printf(a, "%sp.%s/Get", *root ? "other" : "", PICK(seed, words));
	} else if (kind == 2) {
		made_up_forward(seed, root, &f);
	}
	return f;
}

/* `root`: in front of all paths. */
static struct match_member made_up_member(uint64_t *seed, const char *name, const char *root)
{
	struct fact v[FACTS];

	for (size_t k = 0; k < FACTS; k++)
		v[k] = made_up_fact(seed, random_number(seed, 2), root);
	return member(arena_printf(a, "h/shop/%s", name), arena_printf(a, "shop/%s", name), v, FACTS);
}

static struct match_member *made_up_system(unsigned number, uint64_t *seed)
{
	struct match_member *m = arena_many(a, MEMBERS + 1, struct match_member);

	*seed = number * 7919 + 17;
	for (size_t i = 0; i < MEMBERS; i++)
		m[i] = made_up_member(seed, arena_printf(a, "m%zu", i), "");
	return m;
}

static struct match_member copy_of(const struct match_member *m)
{
	return member(m->repo_uri, m->name, m->facts->facts.v, m->facts->facts.n);
}

static bool at(const struct end *e, const char *uri, const struct fact *f)
{
	return !strcmp(e->repo_uri, uri) && !strcmp(e->file, f->file) && e->line == f->line;
}

static bool listed(const struct match_result *o, const char *uri, const struct fact *f)
{
	for (size_t i = 0; i < o->contracts.n; i++)
		if (at(o->contracts.v[i].producer, uri, f) || at(o->contracts.v[i].consumer, uri, f))
			return true;
	for (size_t i = 0; i < o->unresolved.n; i++)
		if (at(o->unresolved.v[i].consumer, uri, f))
			return true;
	for (size_t i = 0; i < o->idle.n; i++)
		if (at(o->idle.v[i].producer, uri, f))
			return true;
	return false;
}

static void every_fact_is_in_a_list(void **state)
{
	(void)state;
	for (unsigned n = 0; n < systems; n++, arena_reset(a)) {
		uint64_t seed;
		struct match_member *m = made_up_system(n, &seed);
		struct match_result o;
		match(m, MEMBERS, a, &o);
		for (size_t i = 0; i < MEMBERS; i++)
			for (size_t k = 0; k < FACTS; k++)
				if (strcmp(m[i].facts->facts.v[k].side, "forwards") && !listed(&o, m[i].repo_uri, &m[i].facts->facts.v[k]))
					fail_msg("system %u: %s line %llu is in no list", n, m[i].name,
					    (unsigned long long)m[i].facts->facts.v[k].line);
		match_result_free(&o);
	}
}

static void order_does_not_matter(void **state)
{
	(void)state;
	for (unsigned n = 0; n < systems; n++, arena_reset(a)) {
		uint64_t seed;
		struct match_member *m = made_up_system(n, &seed), turned[MEMBERS];
		const char *want = rows(m, MEMBERS);
		for (size_t i = 0; i < MEMBERS; i++)
			turned[i] = copy_of(&m[MEMBERS - 1 - i]);
		for (size_t i = 0; i < MEMBERS; i++)
			for (size_t k = 0; k < FACTS; k++) {
				struct fact *v = turned[i].facts->facts.v, f = v[k];
				size_t to = random_number(&seed, FACTS);
				v[k] = v[to];
				v[to] = f;
			}
		if (strcmp(rows(turned, MEMBERS), want))
			fail_msg("system %u: another order gives\n%s\ninstead of\n%s", n, rows(turned, MEMBERS), want);
	}
}

/* `{}` for whatever stands in braces, but `{*}`. */
static const char *unnamed(const char *s)
{
	char *out = arena_get(a, strlen(s) + 1, 1), *w = out;

	for (; *s; s++) {
		*w++ = *s;
		if (s[0] == '{' && s[1] != '*')
			s = strchr(s, '}') - 1;
	}
	return out;
}

static void names_of_parameters_do_not_matter(void **state)
{
	(void)state;
	for (unsigned n = 0; n < systems; n++, arena_reset(a)) {
		uint64_t seed;
		struct match_member *m = made_up_system(n, &seed);
		const char *want = rows(m, MEMBERS);
		for (size_t i = 0; i < MEMBERS; i++)
			for (size_t k = 0; k < FACTS; k++) {
				struct fact *f = &m[i].facts->facts.v[k];
				const char *hole = strcmp(f->side, "forwards") ? strstr(f->path, "{}") : NULL;
				if (hole)
					f->path = arena_printf(a, "%.*s{name%zu}%s", (int)(hole - f->path), f->path, k, hole + 2);
			}
		if (strcmp(unnamed(rows(m, MEMBERS)), want))
			fail_msg("system %u: other names give\n%s\ninstead of\n%s", n, rows(m, MEMBERS), want);
	}
}

static void strangers_remove_no_link(void **state)
{
	(void)state;
	for (unsigned n = 0; n < systems; n++, arena_reset(a)) {
		uint64_t seed;
		struct match_member *m = made_up_system(n, &seed);
		char *before = arena_str(a, rows(m, MEMBERS));
		m[MEMBERS] = made_up_member(&seed, "stranger", "/elsewhere");
		const char *after = arena_printf(a, "\n%s", rows(m, MEMBERS + 1));
		for (char *row = strtok(before, "\n"); row; row = strtok(NULL, "\n"))
			if (strchr("GPARSH", *row) && !strstr(after, arena_printf(a, "\n%s\n", row)))
				fail_msg("system %u: with an unrelated member `%s` is gone from%s", n, row, after);
	}
}

/* How sure it is that the call reaches the route; 0: it is no row. */
static double sure(const struct match_result *o, const struct end *consumer, const struct end *producer)
{
	double best = 0;

	for (size_t i = 0; i < o->contracts.n; i++) {
		const struct contract *c = &o->contracts.v[i];
		if (c->consumer->line == consumer->line && c->producer->line == producer->line && c->confidence > best)
			best = c->confidence;
	}
	return best;
}

/* Whether the host, or without one that says something the name of the address, is another member's. */
static bool against(const char *host, const char *raw, const char *producer)
{
	static const struct { const char *raw, *name; } addresses[] = { { "M1_URL + path", "m1" }, { "config.m4Uri", "m4" } };
	const char *name = strrchr(producer, '/') + 1;

	if (host && *host == 'm')
		return strncmp(host, name, strlen(name)) != 0;
	for (size_t i = 0; raw && i < LEN(addresses); i++)
		if (!strcmp(raw, addresses[i].raw))
			return strcmp(name, addresses[i].name) != 0;
	return false;
}

static void less_evidence_is_not_surer(void **state)
{
	(void)state;
	for (unsigned n = 0; n < systems; n++, arena_reset(a)) {
		uint64_t seed;
		struct match_member *m = made_up_system(n, &seed);
		struct match_result with, without;
		size_t i = random_number(&seed, MEMBERS), k = random_number(&seed, FACTS);
		match(m, MEMBERS, a, &with);
		struct match_member less[MEMBERS];
		memcpy(less, m, sizeof less);
		less[i] = copy_of(&m[i]);
		struct fact *f = &less[i].facts->facts.v[k];
		const char *host = f->host, *raw = f->raw;
		if (f->host && strcmp(f->host, "api.example.com") && strcmp(f->host, "unknown") && strcmp(f->host, "{}") && strncmp(f->path, "/{}", 3))
			f->host = NULL;	/* what speaks for nobody is no evidence; nor is a hole: none at all says that it is the own origin, or that a hole in front is the host */
		f->raw = NULL;
		match(less, MEMBERS, a, &without);
		for (size_t j = 0; j < with.contracts.n; j++) {
			const struct contract *c = &with.contracts.v[j];
			if (against(host, raw, c->producer->repo_uri))
				continue;
			if (c->consumer->line == f->line && sure(&without, c->consumer, c->producer) > c->confidence + 1e-9)
				fail_msg("system %u: without host and names %s %s is surer: %.2f", n, c->method, c->path, c->confidence);
		}
		match_result_free(&with);
		match_result_free(&without);
	}
}

/* Nor is what is known without a gateway, where it is known with it. */
static void gateways_make_nothing_less_sure(void **state)
{
	(void)state;
	for (unsigned n = 0; n < systems; n++, arena_reset(a)) {
		uint64_t seed;
		struct match_member *m = made_up_system(n, &seed), less[MEMBERS];
		struct match_result with, without;
		match(m, MEMBERS, a, &with);
		for (size_t i = 0; i < MEMBERS; i++) {
			less[i] = copy_of(&m[i]);
			for (size_t k = 0; k < FACTS; k++)
				if (!strcmp(less[i].facts->facts.v[k].side, "forwards"))
					less[i].facts->facts.v[k].side = "none";
		}
		match(less, MEMBERS, a, &without);
		for (size_t j = 0; j < with.contracts.n; j++) {
			const struct contract *c = &with.contracts.v[j];
			if (!c->ambiguous && sure(&without, c->consumer, c->producer) > c->confidence + 1e-9)
				fail_msg("system %u: without gateways %s %s of line %d is surer than %.2f", n,
				    c->method, c->path, (int)c->consumer->line, c->confidence);
		}
		match_result_free(&with);
		match_result_free(&without);
	}
}

static bool same_fit(const struct path_match *f, const struct path_match *g)
{
	return f->level == g->level && f->shift == g->shift && f->rest == g->rest && f->weak == g->weak && f->literals == g->literals;
}

/* The index finds what looking at every route would. */
static void the_index_finds_all(void **state)
{
	(void)state;
	for (unsigned n = 0; n < systems; n++, arena_reset(a)) {
		uint64_t seed = n;
		struct path_template v[FACTS * 4], *call = v;
		const struct path_template *routes[LEN(v)];
		for (size_t i = 0; i < LEN(v); i++) {
			const char *path = made_up_fact(&seed, true, "").path;
			bool closed = path[strlen(path) - 1] != '}';
			v[i] = path_split(closed && !random_number(&seed, 6) ? arena_printf(a, "%s{}", path) : path, a);
			v[i].based = v[i].n && v[i].kind[0] == SEG_PARAMETER && random_number(&seed, 2);
			routes[i] = &v[i];
		}
		struct match_index *x = match_index_new(routes, LEN(v));
		for (; call < v + LEN(v); call++) {
			const struct route_candidates *c = match_index_find(x, call);
			size_t k = 0;
			for (size_t i = 0; i < LEN(v); i++) {
				struct path_match f;
				if (!path_fit(call, routes[i], &f) || (!f.literals && (f.weak || f.rest || f.level)))
					continue;
				if (k == c->n || c->v[k].route != i || !same_fit(&c->v[k].fit, &f))
					fail_msg("system %u: %s to %s", n, call->text, routes[i]->text);
				k++;
			}
			assert_int_equal(k, c->n);
		}
		match_index_free(x);
	}
}

int main(void)
{
	if (getenv("MATCH_SYSTEMS"))
		systems = (unsigned)atoi(getenv("MATCH_SYSTEMS"));
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fact_is_in_a_list),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(names_of_parameters_do_not_matter),
		cmocka_unit_test(strangers_remove_no_link),
		cmocka_unit_test(the_index_finds_all),
		cmocka_unit_test(less_evidence_is_not_surer),
		cmocka_unit_test(gateways_make_nothing_less_sure),
	};

	return cmocka_run_group_tests(tests, contract_rows_setup, contract_rows_teardown);
}
