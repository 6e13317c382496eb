/*
 * Any bytes as a query: the tree that is read is printed as a text that is read as the same tree, whatever atoms are decided,
 * and errors are about the query.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/pattern/pattern.h"
#include "proto/query/search_query.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static int compile(void *arg, const struct query_node *atom)
{
	static const struct query_options plain = { 0 };
	const struct search_query *q = arg;
	struct err e = { 0 };

	if (atom->kind == QUERY_LANG)
		return 0;
	struct pattern *pattern = query_atom_pattern(q, atom, &plain, &e);
	if (!pattern && (e.code != ERR_INVALID_INPUT || strncmp(e.msg, "query: column ", 14)))
		__builtin_trap();
	pattern_free(pattern);
	return 0;
}

static int decide(void *arg, const struct query_node *atom)
{
	return atom->atom % 3 == *(const unsigned *)arg ? (int)(atom->atom % 2) : -1;
}

/* A text of more than QUERY_MAX_BYTES may be printed, because of escapes; it cannot be read. */
static void check_print(const struct search_query *q, struct arena *a)
{
	struct err e = { 0 };
	const char *text = search_query_print(q, a);
	const struct search_query *again = search_query_parse(text, a, &e);

	if (!again && strlen(text) <= QUERY_MAX_BYTES)
		__builtin_trap();
	if (again && strcmp(search_query_print(again, a), text))
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	const char *text = arena_strn(a, (const char *)p, n);
	const struct search_query *q = search_query_parse(text, a, &e);

	if (!q && (e.code != ERR_INVALID_INPUT || strncmp(e.msg, "query: ", 7)))
		__builtin_trap();
	if (q) {
		check_print(q, a);
		for (unsigned i = 0; i < 3; i++)
			check_print(search_query_decide(q, decide, &i, a), a);
		search_query_each(q, compile, (void *)q);
	}
	arena_free(a);
	return 0;
}
