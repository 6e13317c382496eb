/* Orders hits with equal scores by their places. */
#include "coordinator/search/rank_fusion.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"

static int compare_place(
    const struct hit *a, const char *a_repo, const struct hit *b, const char *b_repo)
{
	int c = compare_texts(a->path, b->path);

	if (!c)
		c = compare_numbers(a->start_line, b->start_line);
	if (!c)
		c = compare_numbers(a->end_line, b->end_line);
	if (!c)
		c = compare_texts(a->qualified, b->qualified);
	if (!c)
		c = compare_texts(a->blob, b->blob);
	if (c)
		return c;
	return compare_texts(a_repo, b_repo);
}

static int compare_copies(
    const struct member_hits *in, const struct hit_copy *a, const struct hit_copy *b)
{
	return compare_place(a->hit, in[a->member].repo_uri, b->hit, in[b->member].repo_uri);
}

static void swap(struct hit_copy *a, struct hit_copy *b)
{
	struct hit_copy c = *a;

	*a = *b;
	*b = c;
}

/* Order the copies that have a path and show the first one; false if there is none. */
static bool order_copies(const struct member_hits *in, struct fused_hit *f)
{
	struct hit_copy first = { f->member, f->hit }, *v = f->also;
	size_t k = 0;

	for (size_t i = 0; i < f->nalso; i++)
		if (v[i].hit->path)
			v[k++] = v[i];
	if (!first.hit->path && k)
		first = v[--k];
	for (size_t i = 0; i < k; i++)
		if (compare_copies(in, &v[i], &first) < 0)
			swap(&v[i], &first);
	for (size_t i = 1; i < k; i++)		/* few */
		for (size_t j = i; j > 0 && compare_copies(in, &v[j], &v[j - 1]) < 0; j--)
			swap(&v[j], &v[j - 1]);
	f->member = first.member;
	f->hit = first.hit;
	f->nalso = k;
	return first.hit->path != NULL;
}

static bool equal(const struct fused_hit *a, const struct fused_hit *b)
{
	return a->score == b->score && a->lexical == b->lexical && a->similar == b->similar;
}

void fuse_tie_range(const struct fused_hit *v, size_t total, size_t *from, size_t *to)
{
	while (*from < *to && *from > 0 && equal(&v[*from - 1], &v[*from]))
		--*from;
	while (*from < *to && *to < total && equal(&v[*to - 1], &v[*to]))
		++*to;
}

/* Insert a hit behind the ties of `v[0..n)` that come before it. */
static void insert_by_place(
    const struct member_hits *in, struct fused_hit *v, size_t n, struct fused_hit f)
{
	size_t j = n;

	while (j > 0 && equal(&f, &v[j - 1])) {
		const struct fused_hit *before = &v[j - 1];
		if (compare_place(
		        f.hit, in[f.member].repo_uri, before->hit, in[before->member].repo_uri) >= 0)
			break;
		v[j] = v[j - 1];
		j--;
	}
	v[j] = f;
}

size_t fuse_order_ties(const struct member_hits *in, struct fused_hit *v, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (order_copies(in, &v[i]))
			insert_by_place(in, v, k++, v[i]);
	return k;
}
