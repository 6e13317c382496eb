/* facts FILE...: prints the parser's facts of each file; facts --docs FILE... also the documents, facts --graph FILE... the input of
 * the resolver, facts --time FILE... the parsing time, compared with tree-sitter alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tree_sitter/api.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "shard/contracts/file_routes.h"
#include "shard/facts/facts.h"
#include "shard/parse/parser.h"
#include "shard/syntax/languages.h"
#include "tests/facts_print.h"

static char *read_all(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *p = NULL;
	size_t cap = 0, got;

	*n = 0;
	while (f) {
		p = realloc(p, cap = cap ? cap * 2 : 65536);
		if (!p)
			abort();
		got = fread(p + *n, 1, cap - *n, f);
		*n += got;
		if (*n < cap)
			break;
	}
	if (f)
		fclose(f);
	return p;
}

enum { PATIENCE_MS = 2000 };

/* What --time adds up, in microseconds of this thread. */
struct totals {
	int64_t parse, all, slowest;
	size_t bytes, definitions, documents, contracts, references, locals;
};

static int64_t thread_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* What tree-sitter alone needs. */
static int64_t bare_us(const struct lang *l, const char *text, size_t n)
{
	static TSParser *p;
	int64_t from = thread_us();

	if (!l->grammar || (!p && !(p = ts_parser_new())) || !ts_parser_set_language(p, l->grammar()))
		return 0;
	ts_parser_set_timeout_micros(p, PATIENCE_MS * 1000);
	ts_tree_delete(ts_parser_parse_string(p, NULL, text, (uint32_t)n));
	ts_parser_reset(p);
	return thread_us() - from;
}

static void count(struct totals *t, const struct facts *f, size_t bytes, int64_t bare, int64_t took)
{
	t->bytes += bytes;
	t->parse += bare;
	t->all += took;
	t->slowest = took > t->slowest ? took : t->slowest;
	t->definitions += f->definitions.n;
	t->documents += f->documents.n;
	t->contracts += f->contracts.n;
	t->references += f->references.n;
	t->locals += f->locals.n;
}

static void totals_print(const struct totals *t)
{
	printf("%zu bytes: parse %.0f ms, facts %.0f ms (%.2f), slowest file %.1f ms, %.1f MB/s\n", t->bytes,
	    (double)t->parse / 1e3, (double)t->all / 1e3, (double)t->all / (double)(t->parse ? t->parse : 1),
	    (double)t->slowest / 1e3, (double)t->bytes / (double)(t->all ? t->all : 1));
	printf("%zu definitions, %zu documents, %zu contracts, %zu references, %zu locals\n", t->definitions, t->documents,
	    t->contracts, t->references, t->locals);
}

static void show(const char *path, const struct lang *l, const struct facts *f, const char *mode)
{
	printf("== %s %s%s%s\n", path, l ? lang_name(l) : "not indexed", f->has_errors ? " has_errors" : "",
	    f->generated ? " generated" : "");
	if (!strcmp(mode, "--graph"))
		facts_print_graph(stdout, f);
	else
		facts_print(stdout, f, !strcmp(mode, "--docs"));
}

int main(int argc, char **argv)
{
	struct err e = { 0 };
	struct parser *p = parser_new(&e);
	struct arena *a = arena_new();
	const char *mode = argc > 1 && !strncmp(argv[1], "--", 2) ? argv[1] : "";
	bool timing = !strcmp(mode, "--time");
	struct totals t = { 0 };

	for (int i = *mode ? 2 : 1; p && i < argc; i++, arena_reset(a)) {
		struct facts f = { 0 };
		size_t n;
		char *text = read_all(argv[i], &n);
		const struct lang *l = text ? lang_detect(argv[i], text, n) : NULL;
		int64_t bare = l && timing ? bare_us(l, text, n) : 0, from = thread_us();
		if (l)
			parse(p, l, text, n, PATIENCE_MS, a, &f);
		f.contracts.n = file_routes(f.contracts.v, f.contracts.n, argv[i], a);
		if (timing)
			count(&t, &f, l ? n : 0, bare, thread_us() - from);
		else
			show(argv[i], l, &f, mode);
		free(text);
	}
	if (timing)
		totals_print(&t);
	parser_free(p);
	arena_free(a);
	return err_exit(&e);
}
