#include "shard/search/name_beginnings.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "proto/text/symbol_match.h"
#include "proto/text/tokens.h"
#include "shard/index/postings.h"

/* The ways to write a beginning: with the separators it has, without any, with `_` at capitals. */
enum { FORMS = 3, TERMS_MAX = 250 };

enum { BEGINNING_MIN = 4 };	/* of a key (symbol_match.h) */

struct beginnings {
	const char *key;	/* of the beginning */
	struct map *seen;
	struct strs *out;
	struct arena *a;
};

static void add_key(struct beginnings *b, const char *name)
{
	const char *key = symbol_key(name, b->a);
	size_t n = strlen(b->key);
	bool longer = !strncmp(key, b->key, n) && key[n];

	if (!longer || map_get(b->seen, key))
		return;
	*map_at(b->seen, key) = b;
	b->out->v[b->out->n++] = key;
}

/* Terms have no plural ending (tokens.h), names may have one. */
static const char *plural_of(const char *term, struct arena *a)
{
	static const char *const endings[] = { "s", "es" };
	size_t n = strlen(term), m = 0;

	if (n > 1 && term[n - 1] == 'y')
		return arena_printf(a, "%.*sies", (int)n - 1, term);
	if (n > 1 && (strchr("sx", term[n - 1]) || (n > 3 && !strcmp(term + n - 3, "tch"))))
		m = 1;
	return arena_printf(a, "%s%s", term, endings[m]);
}

static void add_term(void *arg, const char *term)
{
	struct beginnings *b = arg;

	add_key(b, term);
	add_key(b, plural_of(term, b->a));
}

/* The beginning as terms have it: in lower case, without `_` at its ends. */
static const char *as_term(const char *beginning, struct arena *a)
{
	const char *from = beginning + strspn(beginning, "_");
	size_t n = strlen(from);

	while (n && from[n - 1] == '_')
		n--;
	char *term = arena_strn(a, from, n);
	for (char *c = term; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return term;
}

/* The same with `_` before each capital that follows a small letter: GetUs becomes get_us. */
static const char *with_lines(const char *beginning, struct arena *a)
{
	char *term = arena_get(a, 2 * strlen(beginning) + 1, 1), *w = term;

	for (const char *c = beginning; *c; c++) {
		if (c > beginning && isupper((unsigned char)*c) && islower((unsigned char)c[-1]))
			*w++ = '_';
		*w++ = *c;
	}
	*w = 0;
	return as_term(term, a);
}

bool name_beginnings_allow(const char *beginning, struct arena *a)
{
	return strlen(symbol_key(beginning, a)) >= BEGINNING_MIN;
}

int name_beginnings_find(
    struct db *db, const char *beginning, struct arena *a, struct strs *keys, struct err *e)
{
	const char *forms[FORMS] = { as_term(beginning, a), symbol_key(beginning, a),
		with_lines(beginning, a) };
	struct beginnings b = { symbol_key(beginning, a), map_new(), keys, a };
	int rc = 0;

	*keys = (struct strs){ arena_many(a, 2 * FORMS * TERMS_MAX, const char *), 0 };
	for (size_t i = 0; !rc && i < FORMS && strlen(b.key) >= BEGINNING_MIN; i++) {
		bool again = false;
		for (size_t k = 0; k < i; k++)
			again |= !strcmp(forms[k], forms[i]);
		if (!again)
			rc = postings_terms_beginning(db, forms[i], TERMS_MAX, add_term, &b, e);
	}
	map_free(b.seen);
	return rc;
}
