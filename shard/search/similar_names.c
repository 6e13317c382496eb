#include "shard/search/similar_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/db/db.h"
#include "proto/process/suggest.h"
#include "proto/text/symbol_match.h"
#include "proto/text/tokens.h"
#include "shard/index/postings.h"

enum {
	WORDS = 8,			/* words of a name that similar names are found by */
	SHARING = 4000,			/* documents that contain one of them prominently */
	NAME_WEIGHT = 6			/* the weight of a word in a name (postings.c) */
};

struct name_list {
	const char **v;
	size_t n, cap;
};

static bool time_is_over(int64_t until_ms)
{
	return until_ms && clock_ms() >= until_ms;
}

/* Reads names until the time is over: similar names are a help, and some are better than none. */
static int read_names(
    struct stmt *s, int64_t until_ms, struct name_list *out, struct arena *a, struct err *e)
{
	int rc;

	while ((rc = db_step(s, e)) == 1) {
		out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = arena_str(a, db_str(s, 0));
		if (time_is_over(until_ms))
			return 0;
	}
	return rc;
}

struct name_overlap {
	const char *name;
	size_t words;
};

static int by_words(const void *a, const void *b)
{
	const struct name_overlap *x = a, *y = b;
	size_t n = strlen(x->name), m = strlen(y->name);

	if (x->words != y->words)
		return (x->words < y->words) - (x->words > y->words);
	if (n != m)
		return (n > m) - (n < m);
	return strcmp(x->name, y->name);
}

/* The number of words of `asked` that are in the name. */
static size_t shared(const struct terms *asked, const char *name, struct arena *a)
{
	struct terms own = terms_of(name, 2 * WORDS, a);
	size_t n = 0;

	for (size_t i = 0; i < asked->n; i++)
		for (size_t k = 0; k < own.n; k++)
			if (!strcmp(asked->v[i].text, own.v[k].text)) {
				n++;
				break;
			}
	return n;
}

/* Documents that contain a word prominently, as those do that have it in their name. */
struct prominent_docs {
	int64_t *v;
	size_t n, cap;
};

static void note_prominent(void *arg, int64_t doc, double weight)
{
	struct prominent_docs *p = arg;

	if (weight < NAME_WEIGHT || p->n >= SHARING)
		return;
	p->v = grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n++] = doc;
}

static int names_of(struct db *db, const struct prominent_docs *p, int64_t until_ms,
    struct name_list *out, struct arena *a, struct err *e)
{
	for (size_t i = 0; i < p->n && !time_is_over(until_ms); i++) {
		struct stmt *s = db_prep(db,
		    "select s.qualified from docs d join symbols s on s.id = d.symbol"
		    " where d.id = ? and s.kind <> 'section'",
		    e);
		if (!s || db_bind(s, "i", p->v[i]) || read_names(s, 0, out, a, e) < 0)
			return -1;
	}
	return 0;
}

/* Keeps the names that share words, the best first, each once. */
static void rank_names(const struct terms *asked, struct name_list *out, struct arena *a)
{
	struct name_overlap *v = arena_many(a, out->n, struct name_overlap);
	size_t n = 0, k = 0;

	for (size_t i = 0; i < out->n; i++) {
		size_t words = shared(asked, out->v[i], a);
		if (words)
			v[n++] = (struct name_overlap){ out->v[i], words };
	}
	if (n)
		qsort(v, n, sizeof *v, by_words);
	for (size_t i = 0; i < n; i++)
		if (!k || strcmp(out->v[k - 1], v[i].name))
			out->v[k++] = v[i].name;
	out->n = k;
}

/* Finds names that share words with the one asked for, those that share most first. */
static int names_sharing_words(struct db *db, const char *asked, int64_t until_ms,
    struct name_list *out, struct arena *a, struct err *e)
{
	struct terms t = terms_of(asked, WORDS, a);
	struct prominent_docs docs = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < t.n; i++)
		rc = postings_each(db, t.v[i].text, note_prominent, &docs, e);
	if (!rc)
		rc = names_of(db, &docs, until_ms, out, a, e);
	if (!rc)
		rank_names(&t, out, a);
	free(docs.v);
	return rc;
}

/* Reads the keys of the index that have about the length of `key`. */
static int read_keys(struct db *db, const char *key, int64_t until_ms, struct name_list *keys,
    struct arena *a, struct err *e)
{
	int64_t len = (int64_t)strlen(key);
	struct stmt *s = db_prep(
	    db, "select distinct key from symbols where length(key) between ? and ?", e);

	if (!s || db_bind(s, "ii", len * 2 / 3, len * 3 / 2 + 1))
		return -1;
	return read_names(s, until_ms, keys, a, e);
}

static int read_names_of_key(
    struct db *db, const char *key, struct name_list *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select distinct qualified from symbols where key = ?"
	    " order by length(qualified), qualified limit 2",
	    e);

	if (!s || db_bind(s, "s", key))
		return -1;
	return read_names(s, 0, out, a, e);
}

/* Finds names that are spelled like the one asked for: keys are compared, names are shown. */
static int spelled_alike(struct db *db, const char *asked, int64_t until_ms, struct name_list *out,
    struct arena *a, struct err *e)
{
	const char *key = symbol_key(symbol_base_name(asked), a), *near[SUGGEST_MAX];
	struct name_list keys = { 0 };
	size_t n = 0;
	int rc = read_keys(db, key, until_ms, &keys, a, e);

	if (!rc)
		n = suggest_pick(key, keys.v, keys.n, near, a);
	for (size_t i = 0; !rc && i < n; i++)
		rc = read_names_of_key(db, near[i], out, a, e);
	free(keys.v);
	return rc;
}

const char *similar_names(
    struct db *db, const char *asked, int64_t until_ms, struct arena *a, struct err *e)
{
	struct name_list names = { 0 };
	struct buf out = { 0 };

	if (!spelled_alike(db, asked, until_ms, &names, a, e) && !names.n)
		names_sharing_words(db, symbol_base_name(asked), until_ms, &names, a, e);
	buf_str(&out, "");
	for (size_t i = 0; i < names.n && i < SUGGEST_MAX; i++) {
		if (i)
			buf_str(&out, ", ");
		buf_printf(&out, "`%s`", names.v[i]);
	}
	const char *near = arena_str(a, out.p);
	buf_free(&out);
	free(names.v);
	return near;
}
