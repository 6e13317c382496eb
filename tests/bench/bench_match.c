/* bench_match [REPOSITORIES...]: matching synthetic federations of 50 routes and 100 calls each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "coordinator/contracts/link_explanation.h"
#include "coordinator/contracts/matching/match_memory.h"
#include "coordinator/contracts/links/repo_links.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "tests/cpu_time.h"
#include "tests/random_number.h"

enum { ROUTES = 50, CALLS = 100, NOUNS = 400 };

static const char *const words[] = { "users", "orders", "items", "carts", "payments", "invoices", "search", "profiles", "teams",
	"tokens", "events", "reports", "jobs", "files", "tags", "notes", "rooms", "seats", "plans", "keys" };
static const char *const methods[] = { "GET", "GET", "POST", "PUT", "DELETE" };

#define PICK(seed, v) ((v)[random_number(seed, LEN(v))])

/* Most resources are few repositories' own, some are everybody's. */
static const char *resource(uint64_t *seed, struct arena *a)
{
	const char *w = PICK(seed, words);

	return random_number(seed, 10) < 3 ? w : arena_printf(a, "%s%u", w, random_number(seed, NOUNS));
}

static const char *path(uint64_t *seed, const char *const *roots, size_t n, const char *what, struct arena *a)
{
	static const char *const tails[] = { "", "/{}", "/{}/", "/{}/history", "/count" };
	const char *root = roots[random_number(seed, (unsigned)n)], *tail = PICK(seed, tails);

	return arena_printf(a, "%s/%s%s%s", root, what, tail, tail[0] && tail[3] == '/' && !tail[4] ? PICK(seed, words) : "");
}

static struct fact made_up_route(uint64_t *seed, const char *const *own, struct arena *a)
{
	static const char *const roots[] = { "/api/v1", "/api", "" };

	return (struct fact){ .side = "provides", .method = PICK(seed, methods),
		.path = path(seed, roots, LEN(roots), own[random_number(seed, 10)], a) };
}

static struct fact made_up_call(uint64_t *seed, size_t repositories, struct arena *a)
{
	static const char *const roots[] = { "/api/v1", "/api", "", "/{}" };
	static const char *const hosts[] = { NULL, "{}", "localhost:3000", "api.example.com" };
	struct fact f = { .side = "consumes", .method = PICK(seed, methods), .raw = "config.baseUrl + path" };

	f.path = path(seed, roots, LEN(roots), resource(seed, a), a);
	f.host = random_number(seed, 5) < 2 ? arena_printf(a, "svc%u:8080", random_number(seed, (unsigned)repositories)) :
	    PICK(seed, hosts);
	return f;
}

static struct match_member repository(size_t i, size_t n, uint64_t *seed, struct arena *a)
{
	struct contracts_res *r = arena_one(a, struct contracts_res);
	const char *own[10];

	r->facts.v = arena_many(a, ROUTES + CALLS, struct fact);
	r->facts.n = ROUTES + CALLS;
	for (size_t k = 0; k < LEN(own); k++)
		own[k] = resource(seed, a);
	for (size_t k = 0; k < ROUTES + CALLS; k++) {
		struct fact f = k < ROUTES ? made_up_route(seed, own, a) : made_up_call(seed, n, a);
		f.kind = "http";
		f.framework = "bench";
		f.file = arena_printf(a, "src/file%zu.c", k / 10);
		f.line = f.end_line = k + 1;
		r->facts.v[k] = f;
	}
	return (struct match_member){ arena_printf(a, "h/bench/svc%zu", i), arena_printf(a, "bench/svc%zu", i), r };
}

/* Why two repositories, and why one call and anybody, are not linked. */
static void measure_explanation(const struct match_member *m, size_t n)
{
	const struct fact *call = &m[0].facts->facts.v[ROUTES];
	const struct link_question questions[] = {
		{ .from = m[0].repo_uri, .to = m[n - 1].repo_uri, .limit = 10 },
		{ .from = m[0].repo_uri, .path = call->path, .limit = 10 }
	};

	for (size_t i = 0; i < LEN(questions); i++) {
		struct arena *a = arena_new();
		struct link_explanation out;
		int64_t began = clock_ms();
		link_explain(m, n, &questions[i], a, &out);
		printf("explain: %4zu repositories, %s, %lld ms; %zu contracts, %zu missing, %s; %zu MB\n",
		    n, questions[i].to ? "two of them" : "one call", (long long)(clock_ms() - began),
		    out.ncontracts, out.all_missing, out.step ? out.step : "linked", arena_used(a) >> 20);
		arena_free(a);
	}
}

/* As if something above half of a repository's routes had grown by a line. */
static void push(struct match_member *m, struct arena *a)
{
	struct contracts_res *r = arena_one(a, struct contracts_res);

	*r = *m->facts;
	r->facts.v = arena_many(a, r->facts.n, struct fact);
	memcpy(r->facts.v, m->facts->facts.v, r->facts.n * sizeof *r->facts.v);
	for (size_t i = ROUTES / 2; i < ROUTES; i++)
		r->facts.v[i].line = ++r->facts.v[i].end_line;
	m->facts = r;
}

/* Matching again after a push to one repository. */
static void measure_again(struct match_member *m, size_t n)
{
	struct match_memory *memory = match_memory_new();
	struct arena *a = arena_new();
	struct match_result before, after;

	match_again(memory, NULL, m, n, a, &before);
	push(&m[n / 2], a);
	int64_t began = clock_ms(), cpu = cpu_ms();
	size_t callers = match_again(memory, &before, m, n, a, &after);
	printf("again: %4zu repositories, one of them changed: %zu matched, %lld ms, %lld ms of processor\n", n,
	    callers, (long long)(clock_ms() - began), (long long)(cpu_ms() - cpu));
	match_result_free(&before);
	match_result_free(&after);
	match_memory_free(memory);
	arena_free(a);
}

static void measure(size_t n)
{
	struct arena *facts = arena_new(), *a = arena_new();
	struct match_member *m = arena_many(facts, n, struct match_member);
	uint64_t seed = 17;
	struct match_result out;
	struct rusage used;
	size_t links;

	for (size_t i = 0; i < n; i++)
		m[i] = repository(i, n, &seed, facts);
	int64_t began = clock_ms(), cpu = cpu_ms();
	match(m, n, a, &out);
	repo_links_build(&out, m, n, a, &links);
	int64_t ms = clock_ms() - began;
	cpu = cpu_ms() - cpu;
	getrusage(RUSAGE_SELF, &used);
	printf(
	    "match: %4zu repositories, %6zu routes, %6zu calls %*s %lld ms, %lld ms of processor, %.1f µs a call; %zu rows, %zu unresolved, %zu links;"
	    " %zu MB, the process at most %ld MB\n",
	    n, n * ROUTES, n * CALLS, 3, "", (long long)ms, (long long)cpu,
	    1000.0 * (double)ms / (double)(n * CALLS), out.contracts.n, out.unresolved.n, links,
	    arena_used(a) >> 20, used.ru_maxrss >> 10);
	match_result_free(&out);
	measure_explanation(m, n);
	arena_free(a);
	measure_again(m, n);
	arena_free(facts);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		measure(strtoul(argv[i], NULL, 10));
	for (size_t n = 10; argc < 2 && n <= 1000; n *= 10)
		measure(n);
	return 0;
}
