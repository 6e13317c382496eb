#include "tests/learn/ranked_question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/embed/embedding_model.h"
#include "proto/text/symbol_match.h"

enum { LONGEST = 1 << 18, KEPT = 300, NAMED = 2000, STEPS = 1024 };

/* ---- what is asked ---- */

static char *next_field(char **line)
{
	char *field = *line ? *line : "", *end = strchr(field, '\t');

	if (end)
		*end = 0;
	*line = end ? end + 1 : NULL;
	return field;
}

static bool read_question(struct score_table *p, char *line, struct ranked_question *k, struct arena *a)
{
	struct err e = { 0 };

	line[strcspn(line, "\n")] = 0;
	*k = (struct ranked_question){ .id = atoi(next_field(&line)) };
	k->without_tests = atoi(next_field(&line));
	uint64_t text = strtoull(next_field(&line), NULL, 10);
	k->terms = next_field(&line);
	k->text = next_field(&line);
	k->words = next_field(&line);
	for (char *c = k->text; (c = strchr(c, 1));)	/* a file of lines has these for line breaks */
		*c = '\n';
	if (question_parse(&k->q, k->words, a, &e))
		return false;
	k->stripped = arena_many(a, p->f.n, size_t);
	for (size_t i = 0; text && i < p->f.n; i++)
		if (p->f.v[i].text == text)
			k->stripped[k->nstripped++] = i;
	model_embed(p->model, p->counts, k->words, strlen(k->words), k->vec);
	if (k->nstripped)
		model_embed(p->model, p->counts, k->text, strlen(k->text), k->stripped_vec);
	return true;
}

/* ---- by meaning, and by name ---- */

static float dot(const float *x, const float *y)
{
	float sum = 0;

	for (size_t i = 0; i < DIM; i++)
		sum += x[i] * y[i];
	return sum;
}

static void score_vectors(struct score_table *p, const struct ranked_question *k)
{
	for (size_t i = 0; i < p->f.n; i++) {
		float x = p->f.v[i].length > 0 ? dot(p->f.vec + i * DIM, k->vec) : 0;
		p->near[i] = x > 0 ? x * prior_of(k, &p->f.v[i]) : 0;
	}
	for (size_t i = 0; i < k->nstripped; i++) {
		float x = dot(k->stripped_vec, k->vec);
		p->near[k->stripped[i]] = x > 0 ? x * p->f.v[k->stripped[i]].prior / 100 : 0;
	}
}

/* How well a symbol bears the name that was written (shard/search/search_names.c). */
static float fit(const char *word, const char *last, const struct doc *d)
{
	size_t n = strlen(word), m = strlen(d->qualified);

	if (last != word)
		return m >= n && !strcasecmp(d->qualified + m - n, word) ? 3 : 1;
	return !strcmp(d->name, last) ? 3 : !strcasecmp(d->name, last) ? 2 : 1.5f;
}

static void score_names(struct score_table *p, const char *word, struct arena *a)
{
	const char *last = symbol_base_name(word), *key = symbol_key(last, a);

	for (size_t i = 0; i < p->f.n; i++) {
		const struct doc *d = &p->f.v[i];
		if (!d->key || d->length == 0 || strcmp(d->key, key))
			continue;
		float x = fit(word, last, d) * d->prior / 100;
		p->named[i] = x > p->named[i] ? x : p->named[i];
	}
}

/* ---- what is written ---- */

/* The least score that the first KEPT documents of a list have, or so: those that share a step with the last are among them. */
static float least_of(const float *score, size_t n, float most)
{
	size_t count[STEPS] = { 0 }, got = 0;
	int step = STEPS - 1;

	for (size_t i = 0; i < n; i++)
		if (score[i] > 0)
			count[(int)(score[i] / most * (STEPS - 1))]++;
	while (step > 0 && got < KEPT)
		got += count[step--];
	return (float)(step + 1) / (STEPS - 1) * most;
}

static void pool_one(struct score_table *p, size_t i)
{
	if (p->pooled[i])
		return;
	p->pooled[i] = true;
	p->pool[p->npool++] = (int32_t)i;
}

struct scored {
	float score;
	int32_t doc;
};

static int by_score(const void *x, const void *y)
{
	const struct scored *a = x, *b = y;

	return a->score != b->score ? (a->score < b->score) - (a->score > b->score) : a->doc - b->doc;
}

static void pool_list(struct score_table *p, const float *score, struct arena *a)
{
	struct scored *v = arena_many(a, p->f.n, struct scored);
	float most = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->f.n; i++)
		most = score[i] > most ? score[i] : most;
	float least = most > 0 ? least_of(score, p->f.n, most) : 0;
	for (size_t i = 0; i < p->f.n; i++)
		if (score[i] > 0 && score[i] >= least)
			v[n++] = (struct scored){ score[i], (int32_t)i };
	qsort(v, n, sizeof *v, by_score);
	for (size_t i = 0; i < n && i < KEPT; i++)
		pool_one(p, (size_t)v[i].doc);
}

static void fill_pool(struct score_table *p, const struct ranked_question *k, struct arena *a)
{
	p->npool = 0;
	memset(p->pooled, 0, p->f.n * sizeof *p->pooled);
	pool_list(p, p->words, a);
	if (!k->q.literal)
		pool_list(p, p->near, a);
	for (size_t i = 0; i < p->f.n && p->npool < NAMED; i++)
		if (p->named[i] > 0)
			pool_one(p, i);
}

static bool is_stripped(const struct ranked_question *k, size_t doc)
{
	for (size_t i = 0; i < k->nstripped; i++)
		if (k->stripped[i] == doc)
			return true;
	return false;
}

static void write_question(const struct score_table *p, const struct ranked_question *k, struct buf *out)
{
	const int32_t head[] = { k->id, p->nterms, p->npool, k->q.literal, k->nstripped ? (int32_t)k->stripped[0] : -1, (int32_t)k->q.noriginal };

	buf_put(out, head, sizeof head);
	for (int32_t t = 0; t < p->nterms; t++)
		buf_put(out, p->by_term[t].name, NAME);
	for (int32_t t = 0; t < p->nterms; t++)
		buf_put(out, &p->by_term[t].idf, sizeof p->by_term[t].idf);
	for (int32_t t = 0; t < p->nterms; t++)
		buf_put(out, &p->by_term[t].documents, sizeof p->by_term[t].documents);
	buf_put(out, k->vec, sizeof k->vec);
	buf_put(out, k->nstripped ? k->stripped_vec : k->vec, sizeof k->vec);
	buf_put(out, p->pool, (size_t)p->npool * sizeof *p->pool);
	for (int32_t i = 0; i < p->npool; i++)
		buf_put(out, &p->named[p->pool[i]], sizeof *p->named);
	for (int32_t i = 0; i < p->npool; i++)
		buf_put(out, &(int32_t){ is_stripped(k, (size_t)p->pool[i]) }, sizeof(int32_t));
	for (int32_t t = 0; t < p->nterms; t++) {
		for (int32_t i = 0; i < p->npool; i++)
			buf_put(out, &p->by_term[t].doc[p->pool[i]], sizeof(float));
		for (int32_t i = 0; i < p->npool; i++)
			buf_put(out, &p->by_term[t].file[p->f.v[p->pool[i]].file], sizeof(float));
	}
}

static bool score_question(struct score_table *p, char *line, struct buf *out)
{
	struct arena *a = arena_new();
	struct ranked_question k;
	bool read = read_question(p, line, &k, a);

	if (read) {
		score_words(p, &k);
		score_vectors(p, &k);
		memset(p->named, 0, p->f.n * sizeof *p->named);
		for (size_t i = 0; i < k.q.nwords && !k.without_tests; i++)
			score_names(p, k.q.words[i], a);
		fill_pool(p, &k, a);
		write_question(p, &k, out);
	}
	arena_free(a);
	return read;
}

static void *many(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		abort();
	return p;
}

static void begin(struct score_table *p, const char *list)
{
	struct err e = { 0 };
	size_t n;
	const void *bytes = model_builtin(&n);

	if (!(p->model = model_open(bytes, n, &e)))
		ranker_fail("the model", e.msg);
	p->counts = model_counts_new(p->model);
	federation_open(&p->f, list);
	float **of_doc[] = { &p->words, &p->near, &p->named, &p->weight };
	for (size_t i = 0; i < LEN(of_doc); i++)
		*of_doc[i] = many(p->f.n, sizeof(float));
	p->held = many(p->f.n, sizeof *p->held);
	p->pool = many(p->f.n, sizeof *p->pool);
	p->pooled = many(p->f.n, sizeof *p->pooled);
	for (size_t t = 0; t < WORDS; t++) {
		p->by_term[t].doc = many(p->f.n, sizeof(float));
		p->by_term[t].file = many(p->f.files, sizeof(float));
	}
}

void score_questions(const char *list, const char *questions, const char *out)
{
	static struct score_table p;
	static char line[LONGEST];
	struct buf b = { 0 };
	int n = 0;

	begin(&p, list);
	federation_write(&p.f, out);
	FILE *q = fopen(questions, "r"), *o = fopen(out, "w");
	if (!q || !o)
		ranker_fail(q ? out : questions, "it cannot be opened");
	while (fgets(line, sizeof line, q)) {
		n += score_question(&p, line, &b);
		fwrite(b.p, 1, b.n, o);
		b.n = 0;
	}
	if (fclose(o))
		ranker_fail(out, "it cannot be written");
	buf_free(&b);
	fprintf(stderr, "%s: %d questions, %zu documents\n", list, n, p.f.n);	/* the rest goes with the program */
}
