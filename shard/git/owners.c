#include "shard/git/owners.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo.h"

struct author_tally {
	struct owner o;
	int64_t when;
};

struct authors {
	struct map *by_address;		/* -> struct author_tally */
	uint64_t commits;
	struct arena *a;
};

static void count(void *arg, const struct path_commit *t)
{
	struct authors *all = arg;
	char *key = arena_str(all->a, t->who);

	for (char *c = key; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	void **at = map_at(all->by_address, key);
	if (!*at)
		*at = arena_one(all->a, struct author_tally);
	struct author_tally *x = *at;
	if (!x->o.commits || t->when > x->when) {	/* show the name that the author used last */
		x->when = t->when;
		x->o.name = text_utf8(t->name, strlen(t->name), all->a);
	}
	x->o.commits++;
	all->commits++;
}

static int by_share(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;

	if (x->commits != y->commits)
		return x->commits < y->commits ? 1 : -1;
	int newest_first = strcmp(y->last, x->last);
	if (newest_first)
		return newest_first;
	return strcmp(x->name, y->name);
}

static const char *iso(int64_t when, struct arena *a)
{
	time_t t = (time_t)when;
	char out[32] = "";
	struct tm tm;

	if (gmtime_r(&t, &tm))
		strftime(out, sizeof out, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return arena_str(a, out);
}

int owners_find(struct repo *repo, const char *commit, const char *path,
    const struct owners_limits *b, size_t limit, struct owners_res *out, struct arena *a,
    struct err *e)
{
	struct authors all = { .by_address = map_new(), .a = a };
	int rc = repo_path_history(repo, commit, path, b->commits, b->enough, clock_ms() + b->ms, count,
	    &all, &out->looked_at, &out->complete, e);
	size_t n = 0;
	if (!rc)
		n = map_len(all.by_address);
	struct owner *v = arena_many(a, n, struct owner);

	for (size_t i = 0; i < n; i++) {
		const struct author_tally *x = map_val(all.by_address, i);
		v[i] = x->o;
		v[i].last = iso(x->when, a);
		v[i].share = (double)x->o.commits / (double)all.commits;
		v[i].relation = "OWNED_BY";
	}
	if (n)
		qsort(v, n, sizeof *v, by_share);
	out->commits = all.commits;
	out->total = n;
	out->owners.v = v;
	out->owners.n = MIN(n, limit);
	map_free(all.by_address);
	return rc;
}
