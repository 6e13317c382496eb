#include "shard/question.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/base/fts.h"

enum { PHRASES = 8, PHRASE_WORDS = 32, WORDS = 64, RAW_TERMS = 512 };

/*
 * The terms of a question may be in so many documents together, all but the FEW rarest: BUDGET, or one in SHARE of the
 * index; measured, README.md.
 */
enum { BUDGET = 1000, SHARE = 20, FEW = 3 };

/* The parts between pairs of double quotes into phrases; the text without them. */
static const char *take_phrases(struct question *q, const char *text, struct arena *a)
{
	char *rest = arena_str(a, text), *w = rest;

	q->phrases = arena_many(a, PHRASES, const char *);
	for (const char *r = text; *r;) {
		const char *end = *r == '"' ? strchr(r + 1, '"') : NULL;
		if (!end || q->nphrases == PHRASES) {
			*w++ = *r == '"' ? ' ' : *r;
			r++;
			continue;
		}
		struct buf words = { 0 };
		struct terms t = terms_of(arena_strn(a, r + 1, (size_t)(end - r - 1)), PHRASE_WORDS, a);
		for (size_t i = 0; i < t.n; i++)
			if (!t.v[i].part)
				buf_printf(&words, "%s%s", words.n ? " " : "", t.v[i].word);
		if (words.n)
			q->phrases[q->nphrases++] = arena_str(a, words.p);
		buf_free(&words);
		*w++ = ' ';
		r = end + 1;
	}
	*w = 0;
	return rest;
}

/* Whether a word can only be a name: load_users, loadUsers, HTTPServer, os.path, a::b; not Users, nor 2nd. */
static bool is_name(const char *s)
{
	bool lower = false;

	for (const char *c = s; *c; c++) {
		if (c > s && c[1] && strchr("_.:/#", *c))
			return true;
		if (c > s && isupper((unsigned char)*c) && (lower || islower((unsigned char)c[1])))
			return true;
		lower = islower((unsigned char)*c);
	}
	return false;
}

enum { PLAIN = 2 };	/* words of a question that is no sentence */

/* In a sentence plain words are no names of symbols: `get` and `error` would bring everything that is called so. */
static void keep_names(struct question *q)
{
	size_t content = 0, kept = 0;

	for (size_t i = 0; i < q->nwords; i++)
		content += !term_is_stop(q->words[i]);
	for (size_t i = 0; i < q->nwords; i++)
		if (content <= PLAIN ? !term_is_stop(q->words[i]) : is_name(q->words[i]))
			q->words[kept++] = q->words[i];
	q->nwords = kept;
}

static void take_words(struct question *q, const char *text, struct arena *a)
{
	static const char blanks[] = " \t\r\n\"'`,;()[]{}<>?!";

	q->words = arena_many(a, WORDS, const char *);
	while (q->nwords < WORDS && *(text += strspn(text, blanks))) {
		size_t n = strcspn(text, blanks), keep = n;
		while (keep && strchr(".:/", text[keep - 1]))
			keep--;
		if (keep > 1)
			q->words[q->nwords++] = arena_strn(a, text, keep);
		text += n;
	}
	keep_names(q);
}

/* Keep the terms that `drop` does not name, unless it names all of them. */
static void without(struct terms *t, const bool *drop)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++)
		kept += !drop[i];
	if (!kept)
		return;
	kept = 0;
	for (size_t i = 0; i < t->n; i++)
		if (!drop[i])
			t->v[kept++] = t->v[i];
	t->n = kept;
}

/* ---- what terms decide ---- */

/* How many documents hold the term. */
static int64_t documents(struct db *db, const char *term, struct err *e)
{
	struct stmt *s = db_prep(db, "select docs from terms where term = ?", e);
	int64_t n = 0;
	int rc = s ? db_bind(s, "S", term) : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		n = db_int(s, 0);
		rc = 0;
	}
	return rc ? -1 : n;
}

static int64_t documents_matching(struct db *db, const char *expression, struct err *e)
{
	struct stmt *s = db_prep(db, "select count(*) from fts where fts match ?", e);
	int64_t n = 0;
	int rc = s ? db_bind(s, "S", expression) : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		n = db_int(s, 0);
		rc = 0;
	}
	return rc ? -1 : n;
}

struct weighed {
	struct term term;
	int64_t documents;
	size_t place;
};

static int rarest_first(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	if (x->documents != y->documents)
		return x->documents < y->documents ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/*
 * Keep the terms that the index holds, the rarest first, until they are in too many documents together: what a search
 * costs is the documents it looks at, and common terms decide little beside rare ones.
 */
static int weigh_terms(struct question *q, struct db *db, struct fts_ranking *r, struct arena *a, struct err *e)
{
	struct weighed *v = arena_many(a, q->terms.n + 1, struct weighed);
	int64_t sum = 0, most = (int64_t)r->n / SHARE > BUDGET ? (int64_t)r->n / SHARE : BUDGET;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < q->terms.n; i++) {
		int64_t d = documents(db, q->terms.v[i].text, e);
		if (d < 0)
			return -1;
		if (d)
			v[n++] = (struct weighed){ q->terms.v[i], d, i };
	}
	qsort(v, n, sizeof *v, rarest_first);
	for (; kept < n && kept < QUESTION_TERMS && (kept < FEW || sum + v[kept].documents <= most); kept++) {
		sum += v[kept].documents;
		q->terms.v[kept] = v[kept].term;
		r->idf[kept] = fts_idf((double)v[kept].documents, (double)r->n - 1);
	}
	q->terms.n = kept;
	return 0;
}

static int weigh_phrases(struct question *q, struct db *db, struct fts_ranking *r, struct arena *a, struct err *e)
{
	for (size_t i = 0; i < q->nphrases; i++) {
		int64_t d = documents_matching(db, arena_printf(a, "\"%s\"", q->phrases[i]), e);
		if (d < 0)
			return -1;
		r->idf[i] = fts_idf((double)d, (double)r->n - 1);
	}
	q->terms.n = 0;
	return 0;
}

int question_read(struct question *q, const char *text, struct db *db, struct fts_ranking *r, struct arena *a,
    struct err *e)
{
	bool drop[RAW_TERMS] = { false };

	*q = (struct question){ 0 };
	const char *rest = take_phrases(q, text, a);
	take_words(q, text, a);
	q->terms = terms_of(rest, RAW_TERMS, a);
	if (!q->terms.n && !q->nphrases)
		return err_set(e, ERR_INVALID_INPUT, "query: `%.60s` holds no word to search for", text);
	for (size_t i = 0; i < q->terms.n; i++)
		drop[i] = term_is_stop(q->terms.v[i].text);
	without(&q->terms, drop);
	return q->nphrases ? weigh_phrases(q, db, r, a, e) : weigh_terms(q, db, r, a, e);
}

/* Terms hold no double quote: they are letters, digits and `_` (proto/text/tokens.h). */
const char *question_match(const struct question *q, struct arena *a)
{
	struct buf m = { 0 };

	for (size_t i = 0; i < q->nphrases; i++)
		buf_printf(&m, "%s\"%s\"", i ? " AND " : "", q->phrases[i]);
	for (size_t i = 0; i < q->terms.n; i++)
		buf_printf(&m, "%s\"%s\"", i ? " OR " : "", q->terms.v[i].text);
	const char *s = arena_str(a, m.p);
	buf_free(&m);
	return s;
}
