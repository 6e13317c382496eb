#include "coordinator/search/meaning_threshold.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/embed/embedder.h"

enum { RETRY_MS = 60000 };

/*
 * Deviations above what is expected by chance; measured with the built-in model:
 * tests/results/ranking.md.
 */
static const double above_chance = 0.9;
static const double never = 2;		/* above every cosine */

static const struct embed_text questions[] = {
#define QUESTION(text) { text, sizeof text - 1 },
#include "coordinator/search/unrelated_texts.def"
}, codes[] = {
#define CODE(text) { text, sizeof text - 1 },
#include "coordinator/search/unrelated_texts.def"
};

struct meaning_threshold {
	struct embedder *embedder;
	pthread_mutex_t lock;		/* of what follows */
	struct unrelated_cosines cosines;	/* zeros while they are not known */
	bool known, busy;
	int64_t retry_ms;		/* not before */
};

struct meaning_threshold *meaning_threshold_new(struct embedder *embedder)
{
	struct meaning_threshold *m = xcalloc(1, sizeof *m);

	m->embedder = embedder;
	pthread_mutex_init(&m->lock, NULL);
	return m;
}

void meaning_threshold_free(struct meaning_threshold *m)
{
	if (!m)
		return;
	pthread_mutex_destroy(&m->lock);
	free(m);
}

double meaning_threshold_get(struct meaning_threshold *m, uint64_t documents)
{
	pthread_mutex_lock(&m->lock);
	struct unrelated_cosines c = m->cosines;
	pthread_mutex_unlock(&m->lock);
	return meaning_threshold_above(&c, documents);
}

double meaning_threshold_above(const struct unrelated_cosines *c, uint64_t documents)
{
	if (!(c->deviation > 1e-6))
		return never;
	double chance = sqrt(2 * log((double)MAX(documents, 1)));
	return c->mean + c->deviation * (chance + above_chance);
}

struct unrelated_cosines meaning_threshold_cosines(const double *cosines, unsigned n)
{
	double sum = 0, squares = 0;

	for (unsigned i = 0; i < n; i++)
		sum += cosines[i];
	double mean = sum / n;
	for (unsigned i = 0; i < n; i++)
		squares += (cosines[i] - mean) * (cosines[i] - mean);
	return (struct unrelated_cosines){ mean, sqrt(squares / n) };
}

/* By the vectors of the questions, and after them those of the code. */
static struct unrelated_cosines compare_all(const float *v, size_t dim)
{
	double cosines[LEN(questions) * LEN(codes)];
	const float *code = v + LEN(questions) * dim;
	unsigned n = 0;

	for (size_t i = 0; i < LEN(questions); i++)
		for (size_t k = 0; k < LEN(codes); k++) {
			double dot = 0;
			for (size_t d = 0; d < dim; d++)
				dot += (double)v[i * dim + d] * (double)code[k * dim + d];
			cosines[n++] = dot;
		}
	return meaning_threshold_cosines(cosines, n);
}

static int measure(struct embedder *x, int64_t end, struct unrelated_cosines *out, struct err *e)
{
	size_t dim = embedder_dim(x);
	float *v = xcalloc((LEN(questions) + LEN(codes)) * dim + 1, sizeof *v);
	float *code = v + LEN(questions) * dim;

	int rc = embedder_embed(
	    x, EMBED_QUERY, questions, LEN(questions), (int)(end - clock_ms()), v, e);
	if (!rc)
		rc = embedder_embed(x, EMBED_DOCUMENT, codes, LEN(codes), (int)(end - clock_ms()), code, e);
	if (!rc)
		*out = compare_all(v, dim);
	free(v);
	return rc;
}

/* Call with the lock held. */
static bool is_wanted(const struct meaning_threshold *m)
{
	return !m->known && !m->busy && clock_ms() >= m->retry_ms;
}

bool meaning_threshold_is_wanted(struct meaning_threshold *m)
{
	pthread_mutex_lock(&m->lock);
	bool wanted = is_wanted(m);
	pthread_mutex_unlock(&m->lock);
	return wanted;
}

/* Whether this thread is to measure it; then no other one does. */
static bool begin(struct meaning_threshold *m)
{
	pthread_mutex_lock(&m->lock);
	bool mine = is_wanted(m);
	m->busy |= mine;
	pthread_mutex_unlock(&m->lock);
	return mine;
}

void meaning_threshold_measure(struct meaning_threshold *m, int deadline_ms)
{
	struct err e = { 0 };
	struct unrelated_cosines cosines = { 0 };

	if (!begin(m))
		return;
	int rc = measure(m->embedder, clock_ms() + deadline_ms, &cosines, &e);
	if (rc)
		log_warn(
		    "search.threshold_failed", "code=%s message=%s", err_name(e.code), log_quote(e.msg));
	else
		log_info("search.threshold", "embedder=%s unrelated=%.4f deviation=%.4f",
		    embedder_fingerprint(m->embedder), cosines.mean, cosines.deviation);
	pthread_mutex_lock(&m->lock);
	m->busy = false;
	m->known = !rc;
	m->cosines = cosines;
	if (rc)
		m->retry_ms = clock_ms() + RETRY_MS;
	pthread_mutex_unlock(&m->lock);
}
