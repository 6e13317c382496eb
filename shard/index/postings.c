#include "shard/index/postings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/text/tokens.h"
#include "shard/base/varint.h"
#include "shard/index/postings_internal.h"

/* Weights of fields in half units; measured over labelled questions (tests/results/ranking.md). */
static const uint8_t weights[POSTING_FIELDS] = { 12, 6, 5, 6, 4 };

enum { WEIGHT_MAX = 4000, FIRST_SLOTS = 1 << 12, FIRST_BYTES = 12 };
enum { WORD_CACHE_SLOTS = 4096, WORD_CACHE_TEXT_MAX = 30, WORD_CACHE_TERMS_MAX = 6 };
enum { WORDS_AHEAD = 8, TOKENS_AHEAD = 8 };	/* prefetched before they are used */

/* The postings of one term so far. */
struct term_postings {
	int64_t first, last;
	uint8_t *data;
	uint32_t n, cap, docs;
	uint32_t weight;	/* in the current document; 0 = not in it yet */
	char term[];
};

/* Open addressing: hash and length tell most other terms apart without reading their run. */
struct term_slot {
	uint32_t hash, length;	/* of the term */
	struct term_postings *run;	/* NULL if the slot is free */
};

/* The terms of a word as it is spelled.  Most words of a text occurred shortly before. */
struct cached_word {
	char text[WORD_CACHE_TEXT_MAX];
	uint8_t length;		/* 0 = free */
	uint8_t n;
	/* the first for the word itself, the others for its parts */
	struct term_postings *run[WORD_CACHE_TERMS_MAX];
};

struct queued_word {
	const char *text;
	size_t n;
	struct cached_word *known;	/* its place in the cache, which may hold another word */
};

/* A part of the current word. */
struct word_part {
	uint32_t hash, n;
	char text[TOKEN_MAX];
};

struct postings {
	struct cached_word *known;		/* by hash; NULL while there is no cache */
	struct queued_word ahead[WORDS_AHEAD];	/* a ring: the nth word is at n % WORDS_AHEAD */
	size_t nseen, ndone;
	struct word_part part[TOKENS_AHEAD];
	size_t nparts;
	/* the terms of the current word, as far as they fit */
	struct term_postings *made[WORD_CACHE_TERMS_MAX];
	size_t nmade;
	struct term_slot *v;
	size_t n, slots;
	struct arena *a;	/* for runs and their terms */
	size_t bytes;
	struct term_postings **touched;	/* by the current document */
	size_t ntouched, touched_cap;
	uint32_t words;
	uint32_t add;		/* weight of the current field */
	struct term_postings **sorted;	/* to be written, in order of term; NULL if not sorted */
	size_t nsorted, nwritten;
};

struct postings *postings_new(void)
{
	struct postings *p = xcalloc(1, sizeof *p);

	p->v = xcalloc(FIRST_SLOTS, sizeof *p->v);
	p->slots = FIRST_SLOTS;
	p->a = arena_new();
	return p;
}

static void drop_data(struct postings *p)
{
	for (size_t i = 0; i < p->slots; i++)
		if (p->v[i].run)
			free(p->v[i].run->data);
}

void postings_free(struct postings *p)
{
	if (!p)
		return;
	drop_data(p);
	arena_free(p->a);
	free(p->touched);
	free(p->sorted);
	free(p->known);
	free(p->v);
	free(p);
}

size_t postings_memory_bytes(const struct postings *p)
{
	return p->bytes + p->slots * sizeof *p->v;
}

/* Hashes eight bytes at a time. */
static uint32_t hash(const char *s, size_t n)
{
	uint64_t h = n, word;

	for (; n; n -= MIN(n, sizeof word), s += sizeof word) {
		word = 0;
		memcpy(&word, s, MIN(n, sizeof word));
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

/* The slot of a term, or the free slot where it belongs. */
static struct term_slot *slot_of(const struct postings *p, uint32_t h, const char *term, size_t n)
{
	struct term_slot *s;

	for (size_t i = h;; i++) {
		s = &p->v[i & (p->slots - 1)];
		if (!s->run || (s->hash == h && s->length == n && !memcmp(s->run->term, term, n)))
			return s;
	}
}

static void grow_slots(struct postings *p)
{
	struct term_slot *old = p->v;
	size_t n = p->slots;

	p->slots *= 2;
	p->v = xcalloc(p->slots, sizeof *p->v);
	for (size_t i = 0; i < n; i++)
		if (old[i].run)
			*slot_of(p, old[i].hash, old[i].run->term, old[i].length) = old[i];
	free(old);
}

static struct term_postings *find_or_add_term(
    struct postings *p, uint32_t h, const char *term, size_t n)
{
	struct term_slot *s = slot_of(p, h, term, n);

	if (s->run)
		return s->run;
	struct term_postings *r = arena_get(p->a, sizeof *r + n + 1, 1);
	memcpy(r->term, term, n);
	*s = (struct term_slot){ h, (uint32_t)n, r };
	p->bytes += sizeof *r + n + 1;
	if (++p->n > p->slots - p->slots / 4)
		grow_slots(p);
	return r;
}

static void count(struct postings *p, struct term_postings *r)
{
	if (!r->weight) {
		p->touched = grow(p->touched, &p->touched_cap, p->ntouched + 1, sizeof *p->touched);
		p->touched[p->ntouched++] = r;
	}
	if (r->weight < WEIGHT_MAX)
		r->weight += p->add;
}

/* Counts the parts of the current word; their slots were prefetched. */
static void count_parts(struct postings *p)
{
	for (size_t i = 0; i < p->nparts; i++) {
		const struct word_part *t = &p->part[i];
		struct term_postings *r = find_or_add_term(p, t->hash, t->text, t->n);
		count(p, r);
		if (p->nmade < WORD_CACHE_TERMS_MAX)
			p->made[p->nmade] = r;
		p->nmade++;
	}
	p->nparts = 0;
}

static int on_token(void *arg, const struct token *t)
{
	struct postings *p = arg;
	struct word_part *at = &p->part[p->nparts++];

	at->hash = hash(t->text, t->n);
	at->n = (uint32_t)t->n;
	memcpy(at->text, t->text, t->n);
	__builtin_prefetch(&p->v[at->hash & (p->slots - 1)]);
	p->words += !t->same_position;
	if (p->nparts == TOKENS_AHEAD)
		count_parts(p);
	return 0;
}

static void count_word(struct postings *p, const struct queued_word *w)
{
	struct cached_word *k = w->known;

	if (k && k->length == w->n && !memcmp(k->text, w->text, w->n)) {
		p->words += k->n > 0;
		for (size_t i = 0; i < k->n; i++)
			count(p, k->run[i]);
		return;
	}
	p->nmade = 0;
	tokens_each(w->text, w->n, true, on_token, p);
	count_parts(p);
	if (!k || w->n > WORD_CACHE_TEXT_MAX || p->nmade > WORD_CACHE_TERMS_MAX)
		return;
	k->length = (uint8_t)w->n;
	k->n = (uint8_t)p->nmade;
	memcpy(k->text, w->text, w->n);
	memcpy(k->run, p->made, p->nmade * sizeof *p->made);
}

static void count_words(struct postings *p, size_t until)
{
	while (p->ndone < until)
		count_word(p, &p->ahead[p->ndone++ % WORDS_AHEAD]);
}

static void on_word(void *arg, const char *text, size_t n)
{
	struct postings *p = arg;
	struct cached_word *k = NULL;

	if (p->known)
		k = &p->known[hash(text, n) % WORD_CACHE_SLOTS];
	if (k) {
		__builtin_prefetch(k);
		__builtin_prefetch(&k->run[WORD_CACHE_TERMS_MAX - 1]);
	}
	if (p->nseen - p->ndone == WORDS_AHEAD)
		count_words(p, p->ndone + 1);
	p->ahead[p->nseen++ % WORDS_AHEAD] = (struct queued_word){ text, n, k };
}

static void byte(struct postings *p, struct term_postings *r, uint8_t b)
{
	if (r->n == r->cap) {
		uint32_t cap = MAX(r->cap * 2, FIRST_BYTES);
		r->data = xrealloc(r->data, cap);
		p->bytes += cap - r->cap;
		r->cap = cap;
	}
	r->data[r->n++] = b;
}

static void varint(struct postings *p, struct term_postings *r, uint64_t v)
{
	for (; v > 127; v >>= 7)
		byte(p, r, (uint8_t)(v | 128));
	byte(p, r, (uint8_t)v);
}

/* Ends a document: appends it to the run of each term that it contains. */
static void finish_document(struct postings *p, int64_t id)
{
	enum { AHEAD = 4 };

	for (size_t i = 0; i < p->ntouched; i++) {
		struct term_postings *r = p->touched[i];
		if (i + AHEAD < p->ntouched && p->touched[i + AHEAD]->data)
			__builtin_prefetch(p->touched[i + AHEAD]->data + p->touched[i + AHEAD]->n);
		if (!r->docs++)
			r->first = r->last = id;
		bool has_weight = r->weight != POSTINGS_DEFAULT_WEIGHT;
		varint(p, r, (uint64_t)(id - r->last) << 1 | has_weight);
		if (has_weight)
			varint(p, r, r->weight);
		r->last = id;
		r->weight = 0;
	}
	p->ntouched = 0;
}

static void read_texts(struct postings *p, const struct posting_texts *t)
{
	p->words = 0;
	for (int f = 0; f < POSTING_FIELDS; f++) {
		p->add = weights[f];
		if (t->field[f].p)
			tokens_each_word(t->field[f].p, t->field[f].n, on_word, p);
		count_words(p, p->nseen);
	}
}

uint16_t postings_add(struct postings *p, int64_t id, const struct posting_texts *t)
{
	if (!p->known)
		p->known = xcalloc(WORD_CACHE_SLOTS, sizeof *p->known);
	read_texts(p, t);
	finish_document(p, id);
	if (p->words < POSTINGS_LENGTH_MAX)
		return (uint16_t)p->words;
	return POSTINGS_LENGTH_MAX;
}

static int by_term(const void *a, const void *b)
{
	const struct term_postings *x = *(struct term_postings *const *)a,
	                           *y = *(struct term_postings *const *)b;

	return strcmp(x->term, y->term);
}

static int put_row(struct db *db, const char *term, int64_t first, int64_t docs, const uint8_t *p,
    const uint8_t *end, struct err *e)
{
	return db_run(db, e, "insert into postings values (?, ?, ?, ?)", "Siib", term, first, docs, p,
	    (size_t)(end - p));
}

/* The maximum bytes of documents in a row, so that four rows fill a page. */
static size_t row_bytes(const char *term)
{
	size_t n = strlen(term);

	if (n < POSTINGS_ROW_BYTES / 2)
		return POSTINGS_ROW_BYTES - n;
	return POSTINGS_ROW_BYTES / 2;
}

/*
 * Writes the run as several rows of at most `limit` bytes.  The difference before the first
 * document of each row becomes 0.
 */
static int put_split_run(struct db *db, const struct term_postings *r, size_t limit, struct err *e)
{
	const uint8_t *p = r->data, *end = p + r->n, *row = p;
	int64_t id = r->first, first = id, docs = 0;

	while (p < end) {
		const uint8_t *start = p;
		uint64_t v = 0, weight;
		varint_take(&p, end, &v);
		uint8_t *last = r->data + (p - r->data) - 1;	/* last byte of the difference */
		if (v & 1)
			varint_take(&p, end, &weight);
		id += (int64_t)(v >> 1);
		if (docs && (size_t)(p - row) > limit) {
			if (put_row(db, r->term, first, docs, row, start, e))
				return -1;
			*last = v & 1;
			row = last;
			first = id;
			docs = 0;
		}
		docs++;
	}
	return put_row(db, r->term, first, docs, row, end, e);
}

static int put_run(struct db *db, const struct term_postings *r, struct err *e)
{
	size_t limit = row_bytes(r->term);

	if (r->n > limit)
		return put_split_run(db, r, limit, e);
	return put_row(db, r->term, r->first, r->docs, r->data, r->data + r->n, e);
}

void postings_sort(struct postings *p)
{
	p->sorted = xmalloc((p->n + 1) * sizeof(struct term_postings *));
	p->nsorted = p->nwritten = 0;
	for (size_t i = 0; i < p->slots; i++)
		if (p->v[i].run && p->v[i].run->docs)
			p->sorted[p->nsorted++] = p->v[i].run;
	qsort(p->sorted, p->nsorted, sizeof *p->sorted, by_term);
}

static void reset_postings(struct postings *p)
{
	free(p->sorted);
	p->sorted = NULL;
	drop_data(p);
	memset(p->v, 0, p->slots * sizeof *p->v);
	free(p->known);		/* it points to runs, which are gone */
	p->known = NULL;
	arena_reset(p->a);
	p->n = p->bytes = 0;
}

int postings_write_step(struct postings *p, struct db *db, size_t terms, struct err *e)
{
	size_t end = p->nwritten + MIN(p->nsorted - p->nwritten, terms);
	int rc = 0;

	if (!p->sorted)
		return 0;
	while (!rc && p->nwritten < end)
		rc = put_run(db, p->sorted[p->nwritten++], e);
	if (!rc && end < p->nsorted)
		return 1;
	reset_postings(p);
	return rc;
}

int postings_write(struct postings *p, struct db *db, struct err *e)
{
	postings_sort(p);
	return postings_write_step(p, db, SIZE_MAX, e);
}

int postings_remove(struct db *db, int64_t id, const struct posting_texts *t, struct err *e)
{
	struct postings *p = postings_new();
	int rc = 0;

	read_texts(p, t);
	for (size_t i = 0; !rc && i < p->ntouched; i++)
		rc = db_run(db, e,
		    "update postings set docs = docs - 1 where term = ?1 and first = "
		    "(select max(first) from postings where term = ?1 and first <= ?2)",
		    "Si", p->touched[i]->term, id);
	postings_free(p);
	return rc;
}
