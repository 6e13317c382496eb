#include "coordinator/search/search_filters.h"

#include <string.h>

#include "coordinator/calls/fanout.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/map.h"

/* The languages of the members' indexes; false: of a member it is not known, or no longer. */
static bool languages_of_members(struct call *c, struct member **v, size_t n, struct map *out)
{
	for (size_t i = 0; i < n; i++) {
		struct member_view view;
		members_view(c->members, v[i], &view, c->a);
		if (!view.counted || !view.counts.languages.n)
			return false;
		for (size_t k = 0; k < view.counts.languages.n; k++)
			*map_at(out, view.counts.languages.v[k].name) = c;
	}
	return true;
}

static int none_of(struct call *c, const char *typed, const struct map *known)
{
	const char *all = "";

	for (size_t i = 0; i < map_len(known); i++)
		all = arena_printf(c->a, "%s%s%s", all, i ? ", " : "", map_key(known, i));
	err_set(&c->e, ERR_INVALID_INPUT, "`languages`: no file here is in `%.40s`; there are %s",
	    typed, all);
	return err_hint(&c->e,
	    "They are in lower case, `c`, `cpp`, `csharp`, `typescript`; `atoll status REPO` lists those of a repository.");
}

int filter_languages(struct call *c, struct member **v, size_t n, const t_strs *languages)
{
	struct map *known = NULL;
	int rc = 0;

	if (languages->n)
		known = map_new();
	if (known && languages_of_members(c, v, n, known))
		for (size_t i = 0; !rc && i < languages->n; i++)
			if (!map_get(known, languages->v[i]))
				rc = none_of(c, languages->v[i], known);
	map_free(known);
	return rc;
}

const char *filter_prefix(const char *typed)
{
	while (typed && (*typed == '/' || !strncmp(typed, "./", 2)))
		typed += *typed == '/' ? 1 : 2;
	if (typed && *typed)
		return typed;
	return NULL;
}

const char *filter_hint(const struct fanout *found, const char *prefix, struct arena *a)
{
	bool nowhere = prefix && found->n;

	for (size_t i = 0; i < found->n && nowhere; i++)
		nowhere = !found->v[i].e.code && ((const struct search_res *)found->v[i].res)->nowhere;
	if (nowhere)
		return arena_printf(a,
		    "No file in %s begins with `%s`: path prefixes are from the repository's root, as paths of results are.",
		    found->n > 1 ? "the repositories that may have these words" : "the repository", prefix);
	return NULL;
}

int filter_score(struct call *c, double min)
{
	if (min >= 0 && min <= 1)
		return 0;
	return err_set(&c->e, ERR_INVALID_INPUT, "`minScore`: %g is not between 0 and 1", min);
}
