#include "coordinator/fuse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/map.h"

enum { K = 60 };

/* How much a list counts: the words of the whole text, and the name alone. */
static const double weight_lexical = 1.0, weight_symbol = 1.0;

struct doc {
	struct fused f;
	const char *repo_uri;
	double lexical, exact;	/* the best of its copies; 0: not in that list */
	double floor;		/* its lexical score at most, when it is not in that list */
};

/* A hit among those of its member, for FUSE_PER_REPO. */
struct local {
	struct doc *doc;
	const struct hit *hit;
	const char *repo_uri;
	double score;
};

static int compare_str(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_num(double a, double b)	/* higher first */
{
	return (a < b) - (a > b);
}

/* The order of what is otherwise equal. */
static int compare_place(const struct hit *a, const char *a_repo, const struct hit *b, const char *b_repo)
{
	int c = compare_str(a->path, b->path);

	if (!c)
		c = (a->start_line > b->start_line) - (a->start_line < b->start_line);
	if (!c)
		c = (a->end_line > b->end_line) - (a->end_line < b->end_line);
	if (!c)
		c = compare_str(a->blob, b->blob);
	if (!c)
		c = compare_str(a->qualified, b->qualified);
	return c ? c : compare_str(a_repo, b_repo);
}

static int compare_docs(const struct doc *a, const struct doc *b)
{
	return compare_place(a->f.hit, a->repo_uri, b->f.hit, b->repo_uri);
}

static int by_lexical(const void *x, const void *y)
{
	const struct doc *a = *(struct doc *const *)x, *b = *(struct doc *const *)y;
	int c = compare_num(a->lexical, b->lexical);

	return c ? c : compare_docs(a, b);
}

static int by_exact(const void *x, const void *y)
{
	const struct doc *a = *(struct doc *const *)x, *b = *(struct doc *const *)y;
	int c = compare_num(a->exact, b->exact);

	c = c ? c : compare_num(a->lexical, b->lexical);	/* many names fit equally well */
	return c ? c : compare_docs(a, b);
}

static int by_score(const void *x, const void *y)
{
	const struct doc *a = *(struct doc *const *)x, *b = *(struct doc *const *)y;
	int c = compare_num(a->f.score, b->f.score);

	c = c ? c : compare_num(a->lexical, b->lexical);
	return c ? c : compare_docs(a, b);
}

/* ---- the same text is one document, wherever it stands ---- */

static const char *key_of(const struct found *m, const struct hit *h, struct arena *a)
{
	bool blob = h->blob && *h->blob;

	return arena_printf(a, "%s\n%s\n%llu-%llu\n%s", blob ? h->blob : m->repo_uri, blob ? "" : h->path,
	    (unsigned long long)h->start_line, (unsigned long long)h->end_line, h->qualified ? h->qualified : "");
}

static bool same_place(const struct doc *d, const struct found *m, const struct hit *h)
{
	return !strcmp(d->repo_uri, m->repo_uri) && !compare_str(d->f.hit->path, h->path);
}

static void add_copy(struct doc *d, size_t member, const struct found *m, const struct hit *h, struct arena *a)
{
	struct copy *v = arena_many(a, d->f.nalso + 1, struct copy);

	if (d->f.nalso)
		memcpy(v, d->f.also, d->f.nalso * sizeof *v);
	v[d->f.nalso] = (struct copy){ member, h };
	if (compare_place(h, m->repo_uri, d->f.hit, d->repo_uri) < 0) {
		v[d->f.nalso] = (struct copy){ d->f.member, d->f.hit };
		d->f.member = member;
		d->f.hit = h;
		d->repo_uri = m->repo_uri;
	}
	d->f.also = v;
	d->f.nalso++;
}

static struct doc *merge(struct map *seen, size_t member, const struct found *m, const struct hit *h, double floor,
    struct arena *a)
{
	struct doc **at = (struct doc **)map_at(seen, key_of(m, h, a));

	if (!*at) {
		*at = arena_one(a, struct doc);
		(*at)->f.member = member;
		(*at)->f.hit = h;
		(*at)->repo_uri = m->repo_uri;
	} else if (!same_place(*at, m, h)) {
		add_copy(*at, member, m, h, a);
	}
	struct doc *d = *at;
	d->lexical = h->lexical > d->lexical ? h->lexical : d->lexical;
	d->exact = h->exact > d->exact ? h->exact : d->exact;
	d->floor = floor > d->floor ? floor : d->floor;
	return d;
}

/* The lowest lexical score of a member's list: what is not in it scores less. */
static double lowest(const struct found *m)
{
	double low = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].lexical > 0 && (low == 0 || m->v[i].lexical < low))
			low = m->v[i].lexical;
	return low;
}

/* ---- scores ---- */

static void score_rrf(struct doc **v, size_t n)
{
	qsort(v, n, sizeof(struct doc *), by_lexical);
	for (size_t i = 0; i < n && v[i]->lexical > 0; i++)
		v[i]->f.score += weight_lexical / (K + 1 + (double)i);
	qsort(v, n, sizeof(struct doc *), by_exact);
	for (size_t i = 0; i < n && v[i]->exact > 0; i++)
		v[i]->f.score += weight_symbol / (K + 1 + (double)i);
}

static void score_weighted(struct doc **v, size_t n, double best_lexical, double best_exact)
{
	for (size_t i = 0; i < n; i++) {
		if (best_lexical > 0)
			v[i]->f.score += weight_lexical * v[i]->lexical / best_lexical;
		if (best_exact > 0)
			v[i]->f.score += weight_symbol * v[i]->exact / best_exact;
	}
}

static int local_by_lexical(const void *x, const void *y)
{
	const struct local *a = x, *b = y;
	int c = compare_num(a->hit->lexical, b->hit->lexical);

	return c ? c : compare_place(a->hit, a->repo_uri, b->hit, b->repo_uri);
}

static int local_by_exact(const void *x, const void *y)
{
	const struct local *a = x, *b = y;
	int c = compare_num(a->hit->exact, b->hit->exact);

	return c ? c : local_by_lexical(x, y);
}

static void score_local(struct local *v, size_t n)
{
	qsort(v, n, sizeof *v, local_by_lexical);
	for (size_t i = 0; i < n && v[i].hit->lexical > 0; i++)
		v[i].score += weight_lexical / (K + 1 + (double)i);
	qsort(v, n, sizeof *v, local_by_exact);
	for (size_t i = 0; i < n && v[i].hit->exact > 0; i++)
		v[i].score += weight_symbol / (K + 1 + (double)i);
	for (size_t i = 0; i < n; i++)
		if (v[i].score > v[i].doc->f.score)
			v[i].doc->f.score = v[i].score;
}

/* ---- all of it ---- */

static int compare_copies(const struct found *in, const struct copy *a, const struct copy *b)
{
	return compare_place(a->hit, in[a->member].repo_uri, b->hit, in[b->member].repo_uri);
}

static void sort_copies(const struct found *in, struct copy *v, size_t n)
{
	for (size_t i = 1; i < n; i++)		/* few */
		for (size_t j = i; j > 0 && compare_copies(in, &v[j], &v[j - 1]) < 0; j--) {
			struct copy c = v[j];
			v[j] = v[j - 1];
			v[j - 1] = c;
		}
}

static struct fused *finish(const struct found *in, struct doc **v, size_t n, double best_lexical, struct arena *a)
{
	struct fused *out = arena_many(a, n, struct fused);

	qsort(v, n, sizeof(struct doc *), by_score);
	for (size_t i = 0; i < n; i++) {
		struct doc *d = v[i];
		double lexical = d->lexical > 0 ? d->lexical : d->floor;
		d->f.relevance = best_lexical > 0 ? lexical / best_lexical : 0;
		d->f.sources = (d->lexical > 0 ? FUSE_LEXICAL : 0) | (d->exact > 0 ? FUSE_SYMBOL : 0);
		sort_copies(in, d->f.also, d->f.nalso);
		out[i] = d->f;
	}
	return out;
}

struct fused *fuse(const struct found *in, size_t members, enum fusion how, struct arena *a, size_t *nout)
{
	struct map *seen = map_new();
	double best_lexical = 0, best_exact = 0;

	for (size_t m = 0; m < members; m++) {
		struct local *locals = arena_many(a, in[m].n, struct local);
		double floor = lowest(&in[m]);
		for (size_t i = 0; i < in[m].n; i++) {
			struct doc *d = merge(seen, m, &in[m], &in[m].v[i], floor, a);
			locals[i] = (struct local){ d, &in[m].v[i], in[m].repo_uri, 0 };
		}
		if (how == FUSE_PER_REPO)
			score_local(locals, in[m].n);
	}
	size_t n = map_len(seen);
	struct doc **v = arena_many(a, n, struct doc *);
	for (size_t i = 0; i < n; i++) {
		v[i] = map_val(seen, i);
		best_lexical = v[i]->lexical > best_lexical ? v[i]->lexical : best_lexical;
		best_exact = v[i]->exact > best_exact ? v[i]->exact : best_exact;
	}
	map_free(seen);
	if (how == FUSE_RRF)
		score_rrf(v, n);
	else if (how == FUSE_WEIGHTED)
		score_weighted(v, n, best_lexical, best_exact);
	*nout = n;
	return finish(in, v, n, best_lexical, a);
}
