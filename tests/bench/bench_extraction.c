/*
 * bench_extraction --repo TREE --data DIR: index a repository from nothing as the ingest child does, and say which share of its
 * processor time contracts take: what is called for them alone is wrapped by the linker (Makefile).  Prints: milliseconds of
 * all, of contracts, and of each part of them.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/base/options.h"
#include "shard/contracts/contracts.h"
#include "shard/contracts/crossfile/bind_handlers.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/contracts/gateways/gateways.h"
#include "shard/contracts/grpc/grpc.h"
#include "shard/contracts/specs/operations.h"
#include "shard/facts/facts.h"
#include "shard/git/repo.h"
#include "shard/ingest/ingest.h"
#include "shard/settings/settings.h"

enum part { QUERIES, DOCUMENTS, GRPC, JOIN, PARTS };

static const char *const names[PARTS] = { "queries", "documents", "grpc", "join" };
static _Atomic int64_t spent[PARTS];	/* microseconds */

static int64_t cpu_us(clockid_t of)
{
	struct timespec t;

	clock_gettime(of, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void add(enum part p, int64_t began)
{
	spent[p] += cpu_us(CLOCK_THREAD_CPUTIME_ID) - began;
}

/* A function that is called from another file of the program, with the time that it takes. */
#define TIMED(PART, NAME, TYPES, VALUES) \
	void __real_##NAME TYPES; \
	void __wrap_##NAME TYPES; \
	void __wrap_##NAME TYPES \
	{ \
		int64_t began = cpu_us(CLOCK_THREAD_CPUTIME_ID); \
		__real_##NAME VALUES; \
		add(PART, began); \
	}
#define TIMED_RESULT(PART, RESULT, NAME, TYPES, VALUES) \
	RESULT __real_##NAME TYPES; \
	RESULT __wrap_##NAME TYPES; \
	RESULT __wrap_##NAME TYPES \
	{ \
		int64_t began = cpu_us(CLOCK_THREAD_CPUTIME_ID); \
		RESULT r = __real_##NAME VALUES; \
		add(PART, began); \
		return r; \
	}

TIMED(QUERIES, contracts_find, (struct contracts *c, struct syntax_tree *t, const struct found_definitions *l, struct facts *f, struct framework_matches **k),
    (c, t, l, f, k))
TIMED(DOCUMENTS, operations_find, (const char *language, const char *s, size_t n, struct arena *a, struct facts *f), (language, s, n, a, f))
TIMED(DOCUMENTS, collections_find, (const char *language, const char *s, size_t n, struct arena *a, struct facts *f),
    (language, s, n, a, f))
TIMED(DOCUMENTS, generated_find, (const char *s, size_t n, struct arena *a, struct facts *f), (s, n, a, f))
TIMED(DOCUMENTS, gateways_read, (const char *path, const char *s, size_t n, struct arena *a, struct facts *f), (path, s, n, a, f))
TIMED_RESULT(DOCUMENTS, size_t, settings_read,
    (const char *path, const char *s, size_t n, struct arena *a, struct setting **out), (path, s, n, a, out))
TIMED(GRPC, grpc_find, (struct name_resolver *l, struct fact_list *out), (l, out))
TIMED_RESULT(JOIN, int, crossfile_build, (struct db *db, struct program *w, int threads, const struct text_source *t, struct err *e),
    (db, w, threads, t, e))
TIMED_RESULT(JOIN, int, bind_handlers_run,
    (struct db *db, const struct text_source *t, int64_t **changed, size_t *n, struct err *e), (db, t, changed, n, e))

static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help) { OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct string_list args = { 0 };
	struct err e = { 0 };
	struct arena *a = arena_new();
	int64_t all = 0, sum = 0;

	if (options_parse(rows, sizeof rows / sizeof *rows, &o, "bench_extraction --repo TREE --data DIR\n", argc, argv, &args, a, &e) < 0) {
		fprintf(stderr, "bench_extraction: %s\n", e.msg);
		return 2;
	}
	o.ingest_threads = 1;	/* join in this thread, whose time is looked at */
	o.sandbox = "off";	/* this process goes on after the ingest */
	repo_init();
	if (ingest_run(&o, &e)) {
		fprintf(stderr, "bench_extraction: %s\n", e.msg);
		return 1;
	}
	all = cpu_us(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < PARTS; i++)
		sum += spent[i];
	printf("%lld %lld", (long long)all / 1000, (long long)sum / 1000);
	for (int i = 0; i < PARTS; i++)
		printf(" %s %lld", names[i], (long long)spent[i] / 1000);
	printf("\n");
	arena_free(a);
	return 0;
}
