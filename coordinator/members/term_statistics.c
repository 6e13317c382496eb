#include "coordinator/members/term_statistics.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/pattern/gram_sketch.h"
#include "proto/pattern/grams.h"
#include "proto/text/bloom_filter.h"
#include "proto/text/question.h"
#include "proto/text/symbol_match.h"

enum {
	SLOTS_MIN = 64,
	SLOTS_MAX = 2048,
	REST_MS = 1000,		/* after a failure, the member is not asked again for so long */
};

/* A hash table: documents by the hash of a term; a hash of 0 marks a free slot. */
struct term_counts {
	struct { uint64_t hash; uint32_t documents; } *v;
	size_t n, places;
};

/* What is known about one member. */
struct member_statistics {
	uint64_t index;		/* the index that was counted (index_of); 0 = none yet */
	bool old_index;		/* the member answers from another index by now */
	uint64_t generation;	/* of that index */
	uint64_t documents, words;
	struct term_counts young, old;	/* when the young ones are full, they replace the old ones */
	uint8_t *sketch;
	size_t nsketch;
	bool beginnings;	/* the sketch has those of names */
	uint64_t sketch_index, sketch_generation;
	uint8_t *grams;		/* the sketch of its trigrams */
	size_t ngrams;
	int64_t quiet_until;
};

struct stats {
	pthread_mutex_t lock;
	struct map *by_uri;	/* repo_uri -> struct member_statistics */
};

struct stats *stats_new(void)
{
	struct stats *s = xcalloc(1, sizeof *s);

	pthread_mutex_init(&s->lock, NULL);
	s->by_uri = map_new();
	return s;
}

void stats_free(struct stats *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < map_len(s->by_uri); i++) {
		struct member_statistics *k = map_val(s->by_uri, i);
		free(k->young.v);
		free(k->old.v);
		free(k->sketch);
		free(k->grams);
		free(k);
	}
	map_free(s->by_uri);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Call with the lock held. */
static struct member_statistics *statistics_of(struct stats *s, const struct member *m)
{
	struct member_statistics **at = (struct member_statistics **)map_at(s->by_uri, m->repo_uri);

	if (!*at)
		*at = xcalloc(1, sizeof **at);
	return *at;
}

/* Identifies the index of a stamp: equal for shards of one repository with equal indexes. */
static uint64_t index_of(const struct freshness *f)
{
	return bloom_hash(f->commit) ^ bloom_hash_key(f->graph_hash);
}

/* ---- counts ---- */

static size_t place_of(const struct term_counts *c, uint64_t hash)
{
	size_t i = hash & (c->places - 1);

	while (c->v[i].hash && c->v[i].hash != hash)
		i = (i + 1) & (c->places - 1);
	return i;
}

static bool counts_get(const struct term_counts *c, uint64_t hash, uint64_t *documents)
{
	if (!c->places)
		return false;
	size_t i = place_of(c, hash);
	if (!c->v[i].hash)
		return false;
	*documents = c->v[i].documents;
	return true;
}

static void counts_grow(struct term_counts *c)
{
	struct term_counts wide = { .n = c->n, .places = MAX(c->places * 2, SLOTS_MIN) };

	wide.v = xcalloc(wide.places, sizeof *wide.v);
	for (size_t i = 0; i < c->places; i++)
		if (c->v[i].hash)
			wide.v[place_of(&wide, c->v[i].hash)] = c->v[i];
	free(c->v);
	*c = wide;
}

static void counts_put(struct term_counts *c, uint64_t hash, uint64_t documents)
{
	if (c->n * 4 >= c->places * 3)
		counts_grow(c);
	size_t i = place_of(c, hash);
	if (!c->v[i].hash)
		c->n++;
	c->v[i].hash = hash;
	c->v[i].documents = (uint32_t)documents;
}

static void counts_clear(struct term_counts *c)
{
	free(c->v);
	*c = (struct term_counts){ 0 };
}

static void note_documents(struct member_statistics *k, uint64_t hash, uint64_t documents)
{
	if (k->young.n >= SLOTS_MAX / 4 * 3) {
		counts_clear(&k->old);
		k->old = k->young;
		k->young = (struct term_counts){ 0 };
	}
	counts_put(&k->young, hash, documents);
}

static bool sketch_lacks(const struct member_statistics *k, uint64_t hash)
{
	return k->sketch && !bloom_may_contain(k->sketch, k->nsketch, hash);
}

/* Whether the count of a hash is known; if not, it is set to 0.  None if the sketch lacks `key`. */
static bool count_of(struct member_statistics *k, uint64_t hash, const uint64_t *key, uint64_t *n)
{
	*n = 0;
	if (key && k->sketch_index == k->index && sketch_lacks(k, *key))
		return true;
	if (counts_get(&k->young, hash, n))
		return true;
	if (!counts_get(&k->old, hash, n))
		return false;
	note_documents(k, hash, *n);
	return true;
}

/* Whether the number of documents that contain the i-th term is known; if not, it is set to 0. */
static bool documents_of(
    struct member_statistics *k, const struct query_terms *w, size_t i, uint64_t *documents)
{
	const uint64_t *key = &w->terms[i];

	if (w->open[i])
		key = NULL;
	return count_of(k, w->terms[i], key, documents);
}

/* The same for the files that define the name. */
static bool names_of(struct member_statistics *k, const struct query_terms *w, uint64_t *files)
{
	return count_of(k, w->name, &w->name_key, files);
}

/* ---- queries ---- */

/* The keys that a name is looked up by: of its last part, and of all of it (search_names.c). */
static void add_name(struct query_terms *w, const char *name, struct arena *a)
{
	w->keys[w->nkeys++] = bloom_hash_key(symbol_key(symbol_base_name(name), a));
	w->keys[w->nkeys++] = bloom_hash_key(symbol_key(name, a));
}

struct query_terms stats_query_terms(const struct question *q, struct arena *a)
{
	struct query_terms w = {
		.q = q,
		.longer_names = true,
		.terms = arena_many(a, q->nterms, uint64_t),
		.keys = arena_many(a, 2 * q->nwords + 1, uint64_t),
		.open = arena_many(a, q->nterms, bool),
	};

	for (size_t i = 0; i < q->nterms; i++) {
		w.terms[i] = bloom_hash(q->terms[i]);
		w.open[i] = question_prefix(q->terms[i], a) != NULL;
		if (w.open[i])
			w.any_open = true;
	}
	for (size_t i = 0; i < q->nwords; i++)
		add_name(&w, q->words[i], a);
	if (q->spelled)
		w.keys[w.nkeys++] = bloom_hash_key(q->spelled);
	if (q->name && !q->name_is_file)
		w.nbeginnings =
		    bloom_hash_beginnings(symbol_key(symbol_base_name(q->name), a), w.beginnings);
	if (q->counted_name) {
		w.name = bloom_hash(q->counted_name);
		w.name_key = bloom_hash_key(q->counted_name + 1);
	}
	return w;
}

const struct stats_req *stats_missing(struct stats *s, const struct member *m, uint64_t generation,
    const struct query_terms *w, struct arena *a)
{
	struct stats_req *r = arena_one(a, struct stats_req);
	uint64_t documents;

	r->terms.v = arena_many(a, w->q->nterms + 1, const char *);
	pthread_mutex_lock(&s->lock);
	struct member_statistics *k = statistics_of(s, m);
	bool moved = !k->index || k->old_index || (generation && k->generation != generation);
	for (size_t i = 0; i < w->q->nterms; i++)
		if (moved || !documents_of(k, w, i, &documents))
			r->terms.v[r->terms.n++] = w->q->terms[i];
	if (w->name && (moved || !names_of(k, w, &documents)))
		r->terms.v[r->terms.n++] = w->q->counted_name;
	bool quiet = clock_ms() < k->quiet_until;
	pthread_mutex_unlock(&s->lock);
	if (!quiet && (moved || r->terms.n))
		return r;
	return NULL;
}

void stats_update(struct stats *s, const struct member *m, const struct stats_res *res,
    const struct freshness *stamp)
{
	pthread_mutex_lock(&s->lock);
	struct member_statistics *k = statistics_of(s, m);
	if (!stamp) {
		k->quiet_until = clock_ms() + REST_MS;
		pthread_mutex_unlock(&s->lock);
		return;
	}
	if (k->index != index_of(stamp)) {
		counts_clear(&k->young);
		counts_clear(&k->old);
	}
	k->index = index_of(stamp);
	k->old_index = false;
	k->generation = stamp->generation;
	k->documents = res->documents;
	k->words = res->words;
	for (size_t i = 0; i < res->terms.n; i++)
		note_documents(k, bloom_hash(res->terms.v[i].term), res->terms.v[i].documents);
	pthread_mutex_unlock(&s->lock);
}

bool stats_check_index(struct stats *s, const struct member *m, const struct freshness *stamp)
{
	pthread_mutex_lock(&s->lock);
	struct member_statistics *k = statistics_of(s, m);
	bool fits = k->index == index_of(stamp);
	if (!fits) {
		k->old_index = true;
		k->quiet_until = 0;
	}
	pthread_mutex_unlock(&s->lock);
	return fits;
}

void stats_sum(struct stats *s, struct member *const *m, size_t n, struct query_terms *w,
    struct search_req *out, struct arena *a)
{
	size_t nterms = w->q->nterms;
	struct term_count *v = arena_many(a, nterms + 1, struct term_count);
	bool *unsure = arena_many(a, nterms, bool);

	out->documents = out->words = out->names = 0;
	for (size_t i = 0; i < nterms; i++)
		v[i].term = w->q->terms[i];
	pthread_mutex_lock(&s->lock);
	for (size_t j = 0; j < n; j++) {
		struct member_statistics *k = statistics_of(s, m[j]);
		uint64_t names;
		if (w->name && names_of(k, w, &names))
			out->names += names;
		out->documents += k->documents;
		out->words += k->words;
		for (size_t i = 0; i < nterms; i++) {
			uint64_t documents;
			unsure[i] |= !documents_of(k, w, i, &documents);
			v[i].documents += documents;
		}
	}
	pthread_mutex_unlock(&s->lock);
	/* A member that did not answer in time may be the only one that has the term. */
	for (size_t i = 0; i < nterms; i++)
		if (unsure[i] && !v[i].documents)
			v[i].documents = 1;
	w->longer_names = question_wants_longer_names(w->q, out);
	out->terms.v = v;
	out->terms.n = question_select_terms(w->q, v, nterms);
}

/* ---- skipping members ---- */

/* NULL if there are none. */
static uint8_t *copy_bytes(struct bytes b)
{
	if (!b.n)
		return NULL;
	uint8_t *copy = xmalloc(b.n);
	memcpy(copy, b.p, b.n);
	return copy;
}

void stats_sketch(struct stats *s, const struct member *m, const struct freshness *stamp,
    const struct sketch_res *res)
{
	uint8_t *words = copy_bytes(res->words), *grams = copy_bytes(res->grams);

	pthread_mutex_lock(&s->lock);
	struct member_statistics *k = statistics_of(s, m);
	free(k->sketch);
	free(k->grams);
	k->sketch = words;
	k->nsketch = res->words.n;
	k->grams = grams;
	k->ngrams = res->grams.n;
	k->beginnings = res->beginnings;
	k->sketch_index = index_of(stamp);
	k->sketch_generation = stamp->generation;
	pthread_mutex_unlock(&s->lock);
}

void stats_invalidate_sketch(struct stats *s, const struct member *m)
{
	pthread_mutex_lock(&s->lock);
	statistics_of(s, m)->sketch_generation = 0;
	pthread_mutex_unlock(&s->lock);
}

static bool lacks_all(const struct member_statistics *k, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!sketch_lacks(k, v[i]))
			return false;
	return true;
}

static bool lacks_any(const struct member_statistics *k, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sketch_lacks(k, v[i]))
			return true;
	return false;
}

/* Whether no document can match: with phrases every term is needed, else one of them suffices. */
static bool sketch_rules_out(const struct member_statistics *k, const struct query_terms *w)
{
	if (w->q->nphrases)
		return lacks_any(k, w->terms, w->q->nterms);
	bool longer_names = k->beginnings && w->nbeginnings && w->longer_names;
	if (longer_names && !lacks_any(k, w->beginnings, w->nbeginnings))
		return false;
	return lacks_all(k, w->terms, w->q->nterms) && lacks_all(k, w->keys, w->nkeys);
}

bool stats_rules_out(
    struct stats *s, const struct member *m, uint64_t generation, const struct query_terms *w)
{
	bool out = false;

	/* a route may be put together of parts that no document contains as words */
	if (w->any_open || !generation || w->q->route)
		return false;
	pthread_mutex_lock(&s->lock);
	const struct member_statistics *k = statistics_of(s, m);
	if (k->sketch_generation == generation && k->generation == generation)
		out = sketch_rules_out(k, w);
	pthread_mutex_unlock(&s->lock);
	return out;
}

static bool may_have_gram(void *arg, uint32_t gram)
{
	const struct member_statistics *k = arg;

	return gram_sketch_may_have(k->grams, k->ngrams, gram);
}

bool stats_rules_out_grams(
    struct stats *s, const struct member *m, uint64_t generation, const struct gram_query *q)
{
	bool out = false;

	if (!generation)
		return false;
	pthread_mutex_lock(&s->lock);
	struct member_statistics *k = statistics_of(s, m);
	if (k->sketch_generation == generation && k->grams)
		out = !gram_query_may_match(q, may_have_gram, k);
	pthread_mutex_unlock(&s->lock);
	return out;
}
