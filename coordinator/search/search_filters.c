#include "coordinator/search/search_filters.h"

#include <string.h>

#include "coordinator/calls/fanout.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
/* Collect the languages of the members' indexes; false if those of a member are not known. */
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
		all = arena_printf(c->a, "%s%s%s", all, *all ? ", " : "", map_key(known, i));
	err_set(&c->e, ERR_INVALID_INPUT, "`languages`: no file is in `%.40s`; the files are in %s",
	    typed, all);
	return err_hint(&c->e,
	    "Names of languages are in lower case: `c`, `cpp`, `csharp`, `typescript`."
	    "  Run `atoll status REPO` to see those of a repository.");
}

int filter_languages(struct call *c, struct member **v, size_t n, const t_strs *languages)
{
	int rc = 0;

	if (!languages->n)
		return 0;
	struct map *known = map_new();
	if (languages_of_members(c, v, n, known))
		for (size_t i = 0; !rc && i < languages->n; i++)
			if (!map_get(known, languages->v[i]))
				rc = none_of(c, languages->v[i], known);
	map_free(known);
	return rc;
}

const char *filter_prefix(const char *typed)
{
	if (!typed)
		return NULL;
	for (;;) {
		if (*typed == '/')
			typed++;
		else if (!strncmp(typed, "./", 2))
			typed += 2;
		else
			return text_or_null(typed);
	}
}

static bool has_no_such_file(const struct fanout_reply *k)
{
	const struct search_res *res = k->res;

	return !k->e.code && res->nowhere;
}

const char *filter_hint(const struct fanout *found, const char *prefix, struct arena *a)
{
	const char *where = "the repository";

	if (!prefix || !found->n)
		return NULL;
	for (size_t i = 0; i < found->n; i++)
		if (!has_no_such_file(&found->v[i]))
			return NULL;
	if (found->n > 1)
		where = "the repositories that may have these words";
	return arena_printf(a,
	    "No file in %s has a path that begins with `%s`. Path prefixes start at the repository's"
	    " root, as paths of results do.",
	    where, prefix);
}

int filter_score(struct call *c, double min)
{
	if (min >= 0 && min <= 1)
		return 0;
	return err_set(&c->e, ERR_INVALID_INPUT, "`minScore`: %g is not between 0 and 1", min);
}
