#include "coordinator/cli/up/codebase_root.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/cli/up/repo_argument.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/process/options.h"

enum { AGAIN_MS = 5000 };	/* between two tries of a folder without a commit */

struct codebase_root {
	const char *dir;
	struct map *known;	/* paths of the repositories that were returned */
	struct map *again;	/* of folders that were none: when to try them again */
};

struct codebase_root *codebase_root_new(const char *dir, const struct string_list *sources)
{
	struct codebase_root *r = xcalloc(1, sizeof *r);

	r->dir = dir;
	r->known = map_new();
	r->again = map_new();
	for (size_t i = 0; i < sources->n; i++)
		*map_at(r->known, sources->v[i]) = r;
	return r;
}

void codebase_root_free(struct codebase_root *r)
{
	if (!r)
		return;
	map_free(r->known);
	map_free(r->again);
	free(r);
}

/* The repository that the folder is, if it is a new one; else NULL. */
static const char *new_source(struct codebase_root *r, const char *path, struct arena *a)
{
	char real[PATH_MAX];

	if (!realpath(path, real) || map_get(r->known, real) || !source_looks_like_repository(real, a))
		return NULL;
	void **again = map_at(r->again, real);
	if (*again && clock_ms() < (int64_t)(intptr_t)*again)
		return NULL;
	*again = (void *)(intptr_t)(clock_ms() + AGAIN_MS);
	const char *source = source_resolve(real, a, NULL);
	if (!source || strcmp(source, real))	/* it is only inside a repository */
		return NULL;
	*map_at(r->known, real) = r;
	return source;
}

void codebase_root_forget(struct codebase_root *r, const char *source)
{
	*map_at(r->known, source) = NULL;
}

static int is_visible(const struct dirent *d)
{
	return *d->d_name != '.';
}

void codebase_root_appeared(struct codebase_root *r, struct string_list *out, struct arena *a)
{
	struct dirent **v;
	int n = scandir(r->dir, &v, is_visible, alphasort);

	*out = (struct string_list){ 0 };
	if (n < 0)
		return;
	out->v = arena_many(a, (size_t)n, const char *);
	for (int i = 0; i < n; i++) {
		const char *source = new_source(r, arena_printf(a, "%s/%s", r->dir, v[i]->d_name), a);
		if (source)
			out->v[out->n++] = source;
		free(v[i]);
	}
	free(v);
}
