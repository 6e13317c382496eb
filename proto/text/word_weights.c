#include "proto/text/word_weights.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/text/word_forms.h"

static const struct word_weight_row {
	const char *root;
	unsigned char words, meaning;	/* percent */
} rows[] = {
#define WORD_WEIGHT(root, words, meaning) { #root, words, meaning },
#include "proto/text/word_weights.def"
#undef WORD_WEIGHT
};

struct weight_lookup {
	const char *root;
	size_t n;
};

static int compare(const void *key, const void *item)
{
	const struct weight_lookup *w = key;
	const struct word_weight_row *r = item;
	int c = strncmp(w->root, r->root, w->n);

	if (c)
		return c;
	return -(r->root[w->n] != 0);
}

struct word_weight word_weight(const char *term)
{
	struct weight_lookup w = { term, word_stem_len(term) };
	const struct word_weight_row *r = bsearch(&w, rows, LEN(rows), sizeof *rows, compare);

	if (!r)
		return (struct word_weight){ 1, 1 };
	return (struct word_weight){ r->words / 100.0, r->meaning / 100.0 };
}
