/* facts FILE...: print what the parser finds in each file.  facts --docs FILE... shows the documents too,
 * facts --graph FILE... what resolve is told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "shard/facts.h"
#include "shard/parse.h"
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

int main(int argc, char **argv)
{
	struct err e = { 0 };
	struct parser *p = parser_new(&e);
	struct arena *a = arena_new();
	bool docs = argc > 1 && !strcmp(argv[1], "--docs"), timing = argc > 1 && !strcmp(argv[1], "--time");
	bool graph = argc > 1 && !strcmp(argv[1], "--graph");
	int64_t us = 0, slowest = 0;
	size_t bytes = 0, definitions = 0, documents = 0, contracts = 0, references = 0, locals = 0;

	for (int i = docs || timing || graph ? 2 : 1; p && i < argc; i++, arena_reset(a)) {
		struct facts f = { 0 };
		size_t n;
		char *text = read_all(argv[i], &n);
		const struct lang *l = text ? lang_of(argv[i], text, n) : NULL;
		int64_t t0 = clock_us();
		if (l) {
			parse(p, l, text, n, 2000, a, &f);
			bytes += n;
		}
		int64_t took = clock_us() - t0;
		us += took;
		slowest = took > slowest ? took : slowest;
		definitions += f.definitions.n;
		documents += f.documents.n;
		contracts += f.contracts.n;
		references += f.references.n;
		locals += f.locals.n;
		if (!timing) {
			printf("== %s %s%s%s\n", argv[i], l ? lang_name(l) : "not indexed",
			    f.has_errors ? " has_errors" : "", f.generated ? " generated" : "");
			if (graph)
				facts_print_graph(stdout, &f);
			else
				facts_print(stdout, &f, docs);
		}
		free(text);
	}
	if (timing)
		printf("%zu bytes %.1f ms %.2f MB/s slowest %.1f ms, %zu definitions %zu documents %zu contracts "
		       "%zu references %zu locals\n", bytes,
		    (double)us / 1e3, (double)bytes / (double)us, (double)slowest / 1e3, definitions, documents, contracts, references, locals);
	parser_free(p);
	arena_free(a);
	return err_exit(&e);
}
