#include "coordinator/search/rank_fusion_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/int_map.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/record/hit_scores.h"
#include "proto/text/text_id.h"

enum { K = 60 };	/* of the reciprocal rank */

/*
 * The lists.  The weights were measured with labelled questions (tests/results/ranking.md).  For
 * the sum, every score is divided by `full`: what the best hit of a question typically has, or for
 * words a share of their maximum.  The actual best hit would not do, because the other scores would
 * change when its member dies.
 */
static const struct {
	size_t score;		/* offset of the score in struct hit; a score of 0 = not in the list */
	double by_rank, in_sum, full;	/* weight of the reciprocal rank, weight in the sum, divisor */
	bool known;		/* every hit has this score, even if another list found it */
	int source;
} lists[LISTS] = {
	[LIST_WORDS] = { offsetof(struct hit, lexical), 1, 1, 0.62, true, FUSE_LEXICAL },
	[LIST_NAME] = { offsetof(struct hit, exact), 1, 0.5, NAME_IN_TEXT_MAX, false, FUSE_SYMBOL },
	[LIST_VECTOR] = { offsetof(struct hit, near), 0.5, 0.6, 0.56, true, FUSE_VECTOR },
	/* a question that names a file is about it */
	[LIST_PATH] = { offsetof(struct hit, named), 5, 5, 3, false, FUSE_PATH },
};

static int compare_num(double a, double b)	/* higher first */
{
	return (a < b) - (a > b);
}

/* ---- lists of hits ---- */

/* Many names fit equally well; words decide between them. */
static int compare_refs(const struct fusion_ref *a, const struct fusion_ref *b, enum fusion_list l)
{
	int c = compare_num(a->score[l], b->score[l]);

	if (!c)
		c = compare_num(a->hit->lexical, b->hit->lexical);
	if (c)
		return c;
	return compare_numbers(a->text, b->text);
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
	if (h->text)
		return h->text;
	if (text_is_set(h->blob))
		return text_id(h->blob, h->start_line, h->end_line, h->qualified);
	return text_id(repo_uri, h->start_line, h->end_line, h->path);
}

static uint64_t file_of(const struct hit *h)
{
	if (h->file)
		return h->file;
	return text_id(h->path, 0, 0, NULL);
}

/* Whether this count meets the text for the first time. */
static bool is_new(size_t *met, size_t count)
{
	bool new = *met != count;

	*met = count;
	return new;
}

/* Link a hit with the others that have the same text. */
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
			*x = (struct fusion_ref){
				.hit = h, .member = m, .text = text_of(h, in[m].repo_uri), .file = file_of(h)
			};
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

/* Remove from each list of the hits `v[0..n)` what is below its first `depth` texts. */
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
 * The score that the first `depth` texts of a list reach down to; 0 if there are fewer.  Sets
 * `again[i]` if the i-th member gave as many of them as it was asked for, so that it may have more.
 */
static double list_threshold(struct fusion_refs *r, int l, size_t members, size_t asked,
    size_t depth, struct arena *a, bool *again)
{
	size_t n, texts = 0, count = ++r->counts, *given = arena_many(a, members, size_t);
	struct fusion_ref **list = list_of(r->v, r->n, l, a, &n);
	double least = 0;

	for (size_t i = 0; i < n; i++) {
		struct fusion_ref *x = list[i];
		if (is_new(&x->first->met, count))
			texts++;
		if (texts > depth)
			break;
		if (texts == depth && least <= 0)
			least = x->score[l];
		if (is_new(&x->own->own_met, count))
			given[x->member]++;
		if (given[x->member] == asked)
			again[x->member] = true;
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
			more[m].least[l] = SEARCH_NOT;
			if (!again[m])
				continue;
			more[m].again = true;
			more[m].least[l] = least;
			enough = false;
		}
	}
	return enough;
}

/* ---- copies of a text become one document ---- */

/* Whether the document has a copy in the same file already. */
static bool has_copy(const struct fusion_doc *d, const struct fusion_ref *r)
{
	if (d->f.member == r->member && file_of(d->f.hit) == r->file)
		return true;
	for (size_t i = 0; i < d->f.nalso; i++)
		if (d->f.also[i].member == r->member && file_of(d->f.also[i].hit) == r->file)
			return true;
	return false;
}

static void add_copy(struct fusion_doc *d, const struct fusion_ref *r, struct arena *a)
{
	struct hit_copy *v = d->f.also;
	size_t n = d->f.nalso;

	if (!(n & (n - 1))) {	/* full: the capacity is the next power of two */
		v = arena_many(a, MAX(2 * n, 1), struct hit_copy);
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
	} else if (!has_copy(d, r)) {
		add_copy(d, r, a);
	}
	for (int l = 0; l < LISTS; l++) {
		double known = r->score[l];
		if (lists[l].known)
			known = score_of(r->hit, l);
		d->score[l] = fuse_larger(d->score[l], r->score[l]);
		d->known[l] = fuse_larger(d->known[l], known);
		if (r->score[l] > 0)
			d->f.sources |= lists[l].source;
	}
	d->lexical = fuse_larger(d->lexical, r->hit->lexical);
	d->cosine = fuse_larger(d->cosine, r->hit->cosine);
	d->around = fuse_larger(d->around, r->hit->around);
	d->f.score = fuse_larger(d->f.score, r->local);	/* only FUSE_PER_REPO keeps it */
}

static struct fusion_doc **docs_of(const struct fusion_refs *r, struct arena *a, size_t *n)
{
	struct fusion_doc **v = arena_many(a, r->n, struct fusion_doc *);

	*n = 0;
	for (size_t i = 0; i < r->n; i++) {
		struct fusion_ref *first = r->v[i].first;
		if (!fuse_listed(&r->v[i]))
			continue;
		if (!first->doc) {
			first->doc = arena_one(a, struct fusion_doc);
			v[(*n)++] = first->doc;
		}
		merge(first->doc, &r->v[i], a);
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
	return compare_numbers(a->text, b->text);
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
 * The maximum lexical score for the question's words.  All members report the same value, except
 * old programs, which report none.
 */
static double max_lexical_score(const struct member_hits *in, size_t members)
{
	double max = 0;

	for (size_t m = 0; m < members; m++)
		max = fuse_larger(max, in[m].max_lexical);
	return max;
}

/* Whether any copy of the text has a vector, whatever its cosine, or will never have one. */
static bool has_vector(const struct fusion_doc *d, const struct member_hits *in)
{
	for (const struct fusion_ref *r = d->refs; r; r = r->next)
		if (r->hit->cosine != 0 || r->hit->near != 0 || in[r->member].vectors_complete)
			return true;
	return false;
}

/*
 * A text whose vector is not made yet gets the cosine that its words suggest.  Otherwise every text
 * with one would rank above it, even if it alone has the words that were asked for.
 */
static void estimate_cosine(
    struct fusion_doc **v, size_t n, double words, const struct member_hits *in)
{
	if (fuse_max_score(v, n, LIST_VECTOR) <= 0 || words <= 0)
		return;
	for (size_t i = 0; i < n; i++)
		if (!has_vector(v[i], in))
			v[i]->known[LIST_VECTOR] = lists[LIST_VECTOR].full *
			    fuse_smaller(1, v[i]->known[LIST_WORDS] / words);
}

/* What the best hit of a question typically has by words; if that is unknown, what it has. */
static double full_words(struct fusion_doc *const *v, size_t n, double max_lexical)
{
	if (max_lexical > 0)
		return lists[LIST_WORDS].full * max_lexical;
	return fuse_max_score(v, n, LIST_WORDS);
}

/*
 * A score divided by what counts as full.  A name that is the whole question counts like one in a
 * longer question here; put_names_first does the rest.
 */
static double share_of_full(double score, double full, int list)
{
	if (list == LIST_NAME)
		score = fuse_smaller(score, full);
	return score / full;
}

static void score_weighted(struct fusion_doc **v, size_t n, double words,
    const struct member_hits *in, struct arena *a)
{
	estimate_cosine(v, n, words, in);
	for (int l = 0; l < LISTS; l++) {
		double full = lists[l].full;
		if (l == LIST_WORDS)
			full = words;
		for (size_t i = 0; i < n && full > 0; i++)
			v[i]->f.score += lists[l].in_sum * share_of_full(v[i]->known[l], full, l);
	}
	fuse_add_file_scores(v, n, lists[LIST_VECTOR].full, a);
	if (words > 0)		/* without words it helped no more than it harmed */
		fuse_add_around_scores(v, n);
	qsort(v, n, sizeof(struct fusion_doc *), docs_by_score);
	fuse_penalize_same_file(v, n, a);
}

/*
 * A question that is a name is answered by the definitions with this name, then by those whose
 * names begin so (proto/record/hit_scores.h), then by what resembles it.  The other scores only
 * order equal fits: their share, below 1, is less than a step between two fits.
 */
static const double above_all_sums = 10, step = 64;

static void put_names_first(struct fusion_doc **v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double fit = v[i]->score[LIST_NAME], sum = v[i]->f.score;
		if (fit > NAME_IN_TEXT_MAX)
			v[i]->f.score = above_all_sums + fit + sum / (1 + sum) / step;
	}
}

/* ---- fusion ---- */

static struct fused_hit *finish(struct fusion_doc **v, size_t n, double words, struct arena *a)
{
	struct fused_hit *out = arena_many(a, n, struct fused_hit);
	double full[LISTS];

	for (int l = 0; l < LISTS; l++)
		full[l] = lists[l].full;
	full[LIST_WORDS] = words;
	qsort(v, n, sizeof(struct fusion_doc *), docs_by_score);
	fuse_set_relevance(v, n, full);
	for (size_t i = 0; i < n; i++) {
		struct fusion_doc *d = v[i];
		d->f.lexical = d->lexical;
		d->f.cosine = d->cosine;
		d->f.rank = i;
		out[i] = d->f;
	}
	return out;
}

/* Cut the lists of all members together, or of each by itself. */
static void cut_lists(struct fusion_refs *r, const struct member_hits *in, size_t members,
    enum fusion how, size_t depth, struct arena *a)
{
	struct fusion_ref *v = r->v;

	if (how != FUSE_PER_REPO) {
		cut(r, v, r->n, depth, a);
		return;
	}
	for (size_t m = 0; m < members; m++) {
		cut(r, v, in[m].n, depth, a);
		v += in[m].n;
	}
}

struct fused_hit *fuse(const struct member_hits *in, size_t members, enum fusion how, size_t depth,
    struct arena *a, size_t *nout)
{
	struct fusion_refs r = refs_of(in, members, a);

	cut_lists(&r, in, members, how, depth, a);
	struct fusion_doc **v = docs_of(&r, a, nout);
	double words = full_words(v, *nout, max_lexical_score(in, members));
	if (how != FUSE_PER_REPO)
		for (size_t i = 0; i < *nout; i++)
			v[i]->f.score = 0;
	if (how == FUSE_RRF)
		score_rrf(v, *nout);
	else if (how == FUSE_WEIGHTED)
		score_weighted(v, *nout, words, in, a);
	put_names_first(v, *nout);
	return finish(v, *nout, words, a);
}
