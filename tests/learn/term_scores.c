#include "tests/learn/ranked_question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/err.h"
#include "proto/text/word_forms.h"
#include "shard/index/bm25.h"
#include "shard/index/postings.h"

/* As shard/index/bm25.c has them. */
static const float FILE_SHARE = .5f, FORM_SHARE = .3f;
static const double K1 = 1.2, B = .5;

struct run {
	struct score_table *p;
	size_t first;		/* document of the repository */
	float share;		/* what a form of the word counts, for half a unit */
	int32_t documents;
};

static void take_run(void *arg, const struct posting *v, size_t n)
{
	struct run *r = arg;
	struct score_table *p = r->p;

	for (size_t i = 0; i < n; i++) {
		size_t d = v[i].id + r->first;
		if (p->f.v[d].length == 0)
			continue;
		r->documents++;
		if (p->weight[d] == 0)
			p->held[p->nheld++] = d;
		p->weight[d] += r->share * (float)v[i].weight;
	}
}

/* How much of a term's weight the comment had that is taken out: `terms` is TERM:WEIGHT,… */
static float stripped_weight(const struct ranked_question *k, const char *term)
{
	size_t n = strlen(term);

	for (const char *t = k->terms; *t; t += strcspn(t, ","), t += *t == ',')
		if (!strncmp(t, term, n) && t[n] == ':')
			return (float)atoi(t + n + 1);
	return 0;
}

static void take_term(struct run *r, const struct ranked_question *k, const char *term)
{
	struct score_table *p = r->p;
	struct err e = { 0 };
	float stripped = stripped_weight(k, term);

	for (size_t i = 0; i < p->f.repos; i++) {
		r->first = p->f.repo[i].first;
		if (postings_each_batch(p->f.repo[i].db, term, take_run, r, &e))
			ranker_fail(term, e.msg);
	}
	for (size_t i = 0; stripped > 0 && i < k->nstripped; i++) {
		float *w = &p->weight[k->stripped[i]];
		*w -= r->share * stripped;
		if (*w < 1e-6f)
			*w = *w != 0 ? 1e-9f : 0;	/* it has been counted */
	}
}

/* The weights of a word become scores, and are 0 again. */
static void settle(struct score_table *p, const struct ranked_question *k, double idf, struct term_scores *g)
{
	memset(g->doc, 0, p->f.n * sizeof *g->doc);
	memset(g->file, 0, p->f.files * sizeof *g->file);
	for (size_t i = 0; i < p->nheld; i++) {
		size_t at = p->held[i];
		const struct doc *d = &p->f.v[at];
		float w = p->weight[at];
		double x = idf * (K1 + 1) * w * prior_of(k, d) / (w + K1 * (1 - B) + K1 * B * d->length / p->f.mean);
		g->doc[at] = (float)x;
		p->words[at] += g->doc[at];
		if (g->doc[at] > g->file[d->file])
			g->file[d->file] = g->doc[at];
		p->weight[at] = 0;
	}
	for (size_t i = 0; i < k->nstripped; i++)
		p->weight[k->stripped[i]] = 0;
}

/* A word of the question in all its forms, of which this is the first. */
static void score_word(struct score_table *p, const struct ranked_question *k, size_t first)
{
	struct run r = { .p = p };
	struct term_scores *g = &p->by_term[p->nterms];

	p->nheld = 0;
	for (size_t i = first; i < k->q.nterms; i++)
		if (word_forms_equal(k->q.terms[first], k->q.terms[i])) {
			r.share = (i == first ? 1 : FORM_SHARE) / 2;
			take_term(&r, k, k->q.terms[i]);
		}
	if (!r.documents)
		return;
	double in = r.documents < p->f.living ? r.documents : p->f.living;
	double idf = bm25_idf(in, p->f.living);
	g->idf = (float)idf;
	g->documents = (int32_t)in;
	memset(g->name, 0, sizeof g->name);
	snprintf(g->name, sizeof g->name, "%s", k->q.terms[first]);
	settle(p, k, idf, g);
	p->nterms++;
}

static bool is_form_of_earlier(const struct question *q, size_t term)
{
	for (size_t i = 0; i < term; i++)
		if (word_forms_equal(q->terms[i], q->terms[term]))
			return true;
	return false;
}

/* What the words give a file, each where it gives most. */
static float of_file(const struct score_table *p, int file)
{
	float sum = 0;

	for (int32_t i = 0; i < p->nterms; i++)
		sum += p->by_term[i].file[file];
	return sum;
}

void score_words(struct score_table *p, const struct ranked_question *k)
{
	p->nterms = 0;
	memset(p->words, 0, p->f.n * sizeof *p->words);
	for (size_t i = 0; i < k->q.nterms && p->nterms < WORDS; i++)
		if (!is_form_of_earlier(&k->q, i))
			score_word(p, k, i);
	for (size_t i = 0; i < p->f.n; i++)
		if (p->words[i] > 0)
			p->words[i] += FILE_SHARE * of_file(p, p->f.v[i].file);
}
