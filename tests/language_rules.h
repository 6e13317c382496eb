/* The rules of a language, as nodes.tab says them, for tests of what works on the text alone. */
#ifndef TESTS_LANGUAGE_RULES_H
#define TESTS_LANGUAGE_RULES_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/err.h"
#include "shard/syntax/languages.h"
#include "shard/syntax/node_rules.h"

/* The caller frees them. */
static inline struct rules *language_rules(const char *name)
{
	struct err e = { 0 };
	struct rules *r = NULL;

	for (size_t i = 0; i < nlangs; i++)
		if (!strcmp(langs[i].name, name))
			r = rules_new(langs[i].folder, langs[i].grammar(), &e);
	if (!r)
		fail_msg("%s: %s", name, e.msg);
	return r;
}

/* A copy that ends where the text does, so that a sanitizer sees who reads beyond it; the caller frees it. */
static inline char *exact_copy(const char *text)
{
	size_t n = strlen(text);
	char *copy = calloc(1, n ? n : 1);

	assert_non_null(copy);
	memcpy(copy, text, n);
	return copy;
}
#endif
