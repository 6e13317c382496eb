#include "coordinator/search/rank_fusion_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/int_map.h"
#include "proto/text/text_id.h"

enum { K = 60 };

/*
 * The lists.  What each counts was measured over labelled questions (tests/results/ranking.md):
 * for the sum every score is divided by `full`, which is what the best hit of a question typically
 * has, and of words a share of what they could give at most.  The best hit itself would not do:
 * when its member dies, the others would count otherwise.  `known`: every hit has its score, also
 * when it came by other lists.
 */
static const struct {
	size_t score;		/* where a hit has it; 0: not in the list */
	double by_rank, in_sum, full;
	bool known;
	int source;
} lists[LISTS] = {
	[LIST_WORDS] = { offsetof(struct hit, lexical), 1, 1, 0.62, true, FUSE_LEXICAL },
	[LIST_NAME] = { offsetof(struct hit, exact), 1, 0.5, 3, false, FUSE_SYMBOL },
	[LIST_VECTOR] = { offsetof(struct hit, near), 0.5, 0.6, 0.56, true, FUSE_VECTOR },
	/* whoever names a file means it */
	[LIST_PATH] = { offsetof(struct hit, named), 5, 5, 3, false, FUSE_PATH },
};

static int compare_num(double a, double b)	/* higher first */
{
	return (a < b) - (a > b);
}

/* The order of what is otherwise equal, until it is known where it stands. */
static int compare_text(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* ---- lists of hits ---- */

/* Many names fit equally well: then by words. */
static int compare_refs(const struct fusion_ref *a, const struct fusion_ref *b, enum fusion_list l)
{
	int c = compare_num(a->score[l], b->score[l]);

	if (!c)
		c = compare_num(a->hit->lexical, b->hit->lexical);
	if (c)
		return c;
	return compare_text(a->text, b->text);
}

static int refs_by_words(const void *x, const void *y)
{
	return compare_refs(*(struct fusion_ref *const *)x, *(struct fusion_ref *const *)y, LIST_WORDS);
}

static int refs_by_name(const void *x, const void *y)
{
	return compare_refs(*(struct fusion_ref *const *)x, *(struct fusion_ref *const *)y, LIST_NAME);
}

static int refs_by_vector(const void *x, const void *y)
{
	return compare_refs(
	    *(struct fusion_ref *const *)x, *(struct fusion_ref *const *)y, LIST_VECTOR);
}

static int refs_by_path(const void *x, const void *y)
{
	return compare_refs(*(struct fusion_ref *const *)x, *(struct fusion_ref *const *)y, LIST_PATH);
}

static int (*const ref_order[LISTS])(const void *, const void *) = {
	refs_by_words, refs_by_name, refs_by_vector, refs_by_path
};

struct fusion_refs {
	struct fusion_ref *v;
	size_t n, counts;
};

static double score_of(const struct hit *h, int list)
{
	return *(const double *)(const void *)((const char *)h + lists[list].score);
}

static uint64_t text_of(const struct hit *h, const char *repo_uri)
{
	const char *blob = h->blob && *h->blob ? h->blob : NULL;

	if (h->text)
		return h->text;
	return text_id(
	    blob ? blob : repo_uri, h->start_line, h->end_line, blob ? h->qualified : h->path);
}

static uint64_t file_of(const struct hit *h)
{
	if (h->file)
		return h->file;
	return text_id(h->path, 0, 0, NULL);
}

/* Whether a count has not been here before. */
static bool is_new(size_t *met, size_t count)
{
	bool new = *met != count;

	*met = count;
	return new;
}

/* Put a hit to those that are the same text. */
static void link_same_text(struct fusion_ref *x, struct fusion_ref **first)
{
	x->own = x;
	if (!*first) {
		x->first = *first = x;
		return;
	}
	x->first = *first;
	x->next = (*first)->next;
	(*first)->next = x;
	for (struct fusion_ref *y = *first; y; y = y->next)
		if (y->member == x->member && y < x->own)
			x->own = y;
}

static struct fusion_refs refs_of(const struct member_hits *in, size_t members, struct arena *a)
{
	struct fusion_refs r = { 0 };
	struct int_map *texts = int_map_new();
	size_t n = 0;

	for (size_t m = 0; m < members; m++)
		n += in[m].n;
	r.v = arena_many(a, n, struct fusion_ref);
	for (size_t m = 0; m < members; m++)
		for (size_t i = 0; i < in[m].n; i++) {
			struct fusion_ref *x = &r.v[r.n++];
			struct hit *h = &in[m].v[i];
			*x = (struct fusion_ref){ .hit = h, .member = m, .text = text_of(h, in[m].repo_uri), .file = file_of(h) };
			for (int l = 0; l < LISTS; l++)
				x->score[l] = score_of(x->hit, l);
			link_same_text(x, (struct fusion_ref **)int_map_at(texts, x->text));
		}
	int_map_free(texts);
	return r;
}

/* The hits `v[0..n)` that are in a list, in its order. */
static struct fusion_ref **list_of(
    struct fusion_ref *v, size_t n, int l, struct arena *a, size_t *nout)
{
	struct fusion_ref **out = arena_many(a, n, struct fusion_ref *);

	*nout = 0;
	for (size_t i = 0; i < n; i++)
		if (v[i].score[l] > 0)
			out[(*nout)++] = &v[i];
	qsort(out, *nout, sizeof(struct fusion_ref *), ref_order[l]);
	return out;
}

/* What is below the first `depth` texts of a list of the hits `v[0..n)` is not in it. */
static void cut(
    struct fusion_refs *r, struct fusion_ref *v, size_t n, size_t depth, struct arena *a)
{
	for (int l = 0; l < LISTS; l++) {
		size_t k, texts = 0, count = ++r->counts;
		struct fusion_ref **list = list_of(v, n, l, a, &k);
		for (size_t i = 0; i < k; i++) {
			if (texts <= depth && is_new(&list[i]->first->met, count) && ++texts <= depth)
				list[i]->local += lists[l].by_rank / (K + (double)texts);
			if (texts > depth)
				list[i]->score[l] = 0;
		}
	}
}

/*
 * How far down the first `depth` texts of a list reach, 0 when there are not so many; `again[i]`:
 * the i-th member gave as much of it as it was asked for, and its further hits may stand there.
 */
static double list_threshold(struct fusion_refs *r, int l, size_t members, size_t asked,
    size_t depth, struct arena *a, bool *again)
{
	size_t n, texts = 0, count = ++r->counts, *given = arena_many(a, members, size_t);
	struct fusion_ref **list = list_of(r->v, r->n, l, a, &n);
	double least = 0;

	for (size_t i = 0; i < n && (texts += is_new(&list[i]->first->met, count)) <= depth; i++) {
		if (texts < depth)
			least = 0;
		else if (least > 0)
			least = least;
		else
			least = list[i]->score[l];
		given[list[i]->member] += is_new(&list[i]->own->own_met, count);
		again[list[i]->member] |= given[list[i]->member] == asked;
	}
	return least;
}

bool fuse_is_complete(const struct member_hits *in, size_t members, size_t asked, size_t depth,
    struct arena *a, struct refetch_request *more)
{
	struct fusion_refs r = refs_of(in, members, a);
	bool enough = true;

	for (int l = 0; l < LISTS; l++) {
		bool *again = arena_many(a, members, bool);
		double least = list_threshold(&r, l, members, asked, depth, a, again);
		for (size_t m = 0; m < members; m++) {
			more[m].again |= again[m];
			if (again[m])
				more[m].least[l] = least;
			else
				more[m].least[l] = SEARCH_NOT;
			enough &= !again[m];
		}
	}
	return enough;
}

/* ---- a text is one document ---- */

/* Whether a copy in the same file is known already. */
static bool is_known(const struct fusion_doc *d, const struct fusion_ref *r)
{
	bool known = d->f.member == r->member && file_of(d->f.hit) == r->file;

	for (size_t i = 0; !known && i < d->f.nalso; i++)
		known = d->f.also[i].member == r->member && file_of(d->f.also[i].hit) == r->file;
	return known;
}

static void add_copy(struct fusion_doc *d, const struct fusion_ref *r, struct arena *a)
{
	struct hit_copy *v = d->f.also;
	size_t n = d->f.nalso;

	if (!(n & (n - 1))) {	/* room for twice as many */
		v = arena_many(a, n ? 2 * n : 1, struct hit_copy);
		if (n)
			memcpy(v, d->f.also, n * sizeof *v);
	}
	v[n] = (struct hit_copy){ r->member, r->hit };
	d->f.also = v;
	d->f.nalso++;
}

static void merge(struct fusion_doc *d, const struct fusion_ref *r, struct arena *a)
{
	if (!d->f.hit) {
		d->f.member = r->member;
		d->f.hit = r->hit;
		d->refs = r->first;
		d->text = r->text;
	} else if (!is_known(d, r)) {
		add_copy(d, r, a);
	}
	for (int l = 0; l < LISTS; l++) {
		d->score[l] = fuse_larger(d->score[l], r->score[l]);
		d->known[l] = fuse_larger(d->known[l], lists[l].known ? score_of(r->hit, l) : r->score[l]);
		d->f.sources |= r->score[l] > 0 ? lists[l].source : 0;
	}
	d->lexical = fuse_larger(d->lexical, r->hit->lexical);
	d->cosine = fuse_larger(d->cosine, r->hit->cosine);
	d->around = fuse_larger(d->around, r->hit->around);
	d->f.score = fuse_larger(d->f.score, r->local);	/* FUSE_PER_REPO; the others begin anew */
}

static struct fusion_doc **docs_of(const struct fusion_refs *r, struct arena *a, size_t *n)
{
	struct fusion_doc **v = arena_many(a, r->n, struct fusion_doc *);

	*n = 0;
	for (size_t i = 0; i < r->n; i++)
		if (fuse_listed(&r->v[i])) {
			if (!r->v[i].first->doc)
				v[(*n)++] = r->v[i].first->doc = arena_one(a, struct fusion_doc);
			merge(r->v[i].first->doc, &r->v[i], a);
		}
	return v;
}

/* ---- scores ---- */

static int compare_docs(const struct fusion_doc *a, const struct fusion_doc *b, double x, double y)
{
	int c = compare_num(x, y);

	if (!c)
		c = compare_num(a->lexical, b->lexical);
	if (c)
		return c;
	return compare_text(a->text, b->text);
}

static int docs_by_words(const void *x, const void *y)
{
	const struct fusion_doc *a = *(struct fusion_doc *const *)x,
	                        *b = *(struct fusion_doc *const *)y;

	return compare_docs(a, b, a->score[LIST_WORDS], b->score[LIST_WORDS]);
}

static int docs_by_name(const void *x, const void *y)
{
	const struct fusion_doc *a = *(struct fusion_doc *const *)x,
	                        *b = *(struct fusion_doc *const *)y;

	return compare_docs(a, b, a->score[LIST_NAME], b->score[LIST_NAME]);
}

static int docs_by_vector(const void *x, const void *y)
{
	const struct fusion_doc *a = *(struct fusion_doc *const *)x,
	                        *b = *(struct fusion_doc *const *)y;

	return compare_docs(a, b, a->score[LIST_VECTOR], b->score[LIST_VECTOR]);
}

static int docs_by_path(const void *x, const void *y)
{
	const struct fusion_doc *a = *(struct fusion_doc *const *)x,
	                        *b = *(struct fusion_doc *const *)y;

	return compare_docs(a, b, a->score[LIST_PATH], b->score[LIST_PATH]);
}

static int docs_by_score(const void *x, const void *y)
{
	const struct fusion_doc *a = *(struct fusion_doc *const *)x,
	                        *b = *(struct fusion_doc *const *)y;

	return compare_docs(a, b, a->f.score, b->f.score);
}

static int (*const doc_order[LISTS])(const void *, const void *) = {
	docs_by_words, docs_by_name, docs_by_vector, docs_by_path
};

static void score_rrf(struct fusion_doc **v, size_t n)
{
	for (int l = 0; l < LISTS; l++) {
		qsort(v, n, sizeof(struct fusion_doc *), doc_order[l]);
		for (size_t i = 0; i < n && v[i]->score[l] > 0; i++)
			v[i]->f.score += lists[l].by_rank / (K + 1 + (double)i);
	}
}

/*
 * What the words of the question could give at most: all members say the same, but for old
 * programs, which do not say it.
 */
static double max_lexical_score(const struct member_hits *in, size_t members)
{
	double most = 0;

	for (size_t m = 0; m < members; m++)
		most = fuse_larger(most, in[m].most);
	return most;
}

/* Which members' hits have vectors. */
static const bool *who_has_vectors(const struct member_hits *in, size_t members, struct arena *a)
{
	bool *has = arena_many(a, members, bool);

	for (size_t m = 0; m < members; m++)
		for (size_t i = 0; i < in[m].n && !has[m]; i++)
			has[m] = in[m].v[i].cosine != 0 || in[m].v[i].near != 0;
	return has;
}

/*
 * A text of members without vectors, which make them yet or none, is taken to be as near as its
 * words say: else each text of the others would stand before it, also where it alone bears the
 * name that was asked for.
 */
static void estimate_cosine(struct fusion_doc **v, size_t n, double words, const bool *has)
{
	bool any = fuse_max_score(v, n, LIST_VECTOR) > 0;

	for (size_t i = 0; i < n && any && words > 0; i++) {
		bool seen = false;
		for (const struct fusion_ref *r = v[i]->refs; r; r = r->next)
			seen |= has[r->member];
		if (!seen)
			v[i]->known[LIST_VECTOR] = lists[LIST_VECTOR].full *
			    fuse_smaller(1, v[i]->known[LIST_WORDS] / words);
	}
}

static void score_weighted(
    struct fusion_doc **v, size_t n, double most, const bool *has, struct arena *a)
{
	double words = most > 0 ? lists[LIST_WORDS].full * most : fuse_max_score(v, n, LIST_WORDS);

	estimate_cosine(v, n, words, has);
	for (int l = 0; l < LISTS; l++) {
		double full = l == LIST_WORDS ? words : lists[l].full;
		for (size_t i = 0; i < n && full > 0; i++)
			v[i]->f.score += lists[l].in_sum * v[i]->known[l] / full;
	}
	fuse_add_file_scores(v, n, lists[LIST_VECTOR].full, a);
	if (words > 0)		/* by meaning alone it helped no more than it harmed */
		fuse_add_around_scores(v, n);
	qsort(v, n, sizeof(struct fusion_doc *), docs_by_score);
	fuse_penalize_same_file(v, n, a);
}

/* ---- all of it ---- */

static struct fused_hit *finish(struct fusion_doc **v, size_t n, struct arena *a)
{
	struct fused_hit *out = arena_many(a, n, struct fused_hit);
	double best = 0;

	qsort(v, n, sizeof(struct fusion_doc *), docs_by_score);
	for (size_t i = 0; i < n; i++)
		best = fuse_larger(best, v[i]->lexical);
	for (size_t i = 0; i < n; i++) {
		struct fusion_doc *d = v[i];
		if (d->cosine > 0)
			d->f.relevance = d->cosine;
		else if (best > 0)
			d->f.relevance = d->lexical / best;
		else
			d->f.relevance = 0;
		d->f.lexical = d->lexical;
		d->f.rank = i;
		out[i] = d->f;
	}
	return out;
}

struct fused_hit *fuse(const struct member_hits *in, size_t members, enum fusion how, size_t depth,
    struct arena *a, size_t *nout)
{
	struct fusion_refs r = refs_of(in, members, a);

	for (size_t m = 0, at = 0; how == FUSE_PER_REPO && m < members; at += in[m++].n)
		cut(&r, r.v + at, in[m].n, depth, a);
	if (how != FUSE_PER_REPO)
		cut(&r, r.v, r.n, depth, a);
	struct fusion_doc **v = docs_of(&r, a, nout);
	for (size_t i = 0; how != FUSE_PER_REPO && i < *nout; i++)
		v[i]->f.score = 0;
	if (how == FUSE_RRF)
		score_rrf(v, *nout);
	else if (how == FUSE_WEIGHTED)
		score_weighted(
		    v, *nout, max_lexical_score(in, members), who_has_vectors(in, members, a), a);
	return finish(v, *nout, a);
}
