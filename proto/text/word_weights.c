#include "proto/text/word_weights.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/text/word_forms.h"

static const struct row {
	const char *root;
	unsigned char words, meaning;	/* percent */
} rows[] = {
#define TELLS(root, words, meaning) { #root, words, meaning },
#include "proto/text/word_weights.def"
#undef TELLS
};

struct wanted {
	const char *root;
	size_t n;
};

static int compare(const void *key, const void *item)
{
	const struct wanted *w = key;
	const struct row *r = item;
	int c = strncmp(w->root, r->root, w->n);

	return c ? c : -(r->root[w->n] != 0);
}

struct telling telling(const char *term)
{
	struct wanted w = { term, forms_root(term) };
	const struct row *r = bsearch(&w, rows, LEN(rows), sizeof *rows, compare);

	return r ? (struct telling){ r->words / 100.0, r->meaning / 100.0 } : (struct telling){ 1, 1 };
}
