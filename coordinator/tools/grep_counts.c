#include "coordinator/tools/grep_counts.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/records/records.h"
#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"

/* Most lines first; those without any are last. */
static int compare_repos(const void *a, const void *b)
{
	const struct grep_repo *x = a, *y = b;

	if (x->lines != y->lines)
		return compare_numbers(y->lines, x->lines);
	return strcmp(x->repo_uri, y->repo_uri);
}

void grep_counts_by_repo(struct grep_out *out, struct grep_repo *v, size_t n)
{
	qsort(v, n, sizeof *v, compare_repos);
	while (n && !v[n - 1].lines)
		n--;
	out->by_repo.v = v;
	out->by_repo.n = MIN(n, GREP_COUNTS_MAX);
	out->repos_total = n;
}

static int compare_languages(const void *a, const void *b)
{
	const struct grep_language *x = a, *y = b;

	if (x->lines != y->lines)
		return compare_numbers(y->lines, x->lines);
	return strcmp(text_or_empty(x->language), text_or_empty(y->language));
}

/* Add a row to that of its language among the first *n of `v`. */
static void add_language(
    struct map *known, const struct grep_language *row, struct grep_language *v, size_t *n)
{
	void **at = map_at(known, text_or_empty(row->language));

	if (!*at) {
		*at = &v[(*n)++];
		*(struct grep_language *)*at = (struct grep_language){ .language = row->language };
	}
	struct grep_language *sum = *at;
	sum->lines += row->lines;
	sum->files += row->files;
}

void grep_counts_by_language(
    struct grep_out *out, const struct grep_res *const *answers, size_t n, struct arena *a)
{
	struct map *known = map_new();
	size_t rows = 0, languages = 0;

	for (size_t i = 0; i < n; i++)
		rows += answers[i]->by_language.n;
	struct grep_language *v = arena_many(a, rows + 1, struct grep_language);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < answers[i]->by_language.n; k++)
			add_language(known, &answers[i]->by_language.v[k], v, &languages);
	map_free(known);
	qsort(v, languages, sizeof *v, compare_languages);
	out->by_language.v = v;
	out->by_language.n = MIN(languages, GREP_COUNTS_MAX);
	out->languages_total = languages;
}
