#include "shard/plan.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "shard/filter.h"
#include "shard/ignore.h"
#include "shard/parse.h"
#include "shard/quarantine.h"

struct rules {
	struct ignore ignored, vendored, generated;
};

void plan_skip(struct plan *p, const char *reason, const char *path, uint64_t size)
{
	void **at = map_at(p->skips, reason);
	struct skipped *s = *at;

	if (!s) {
		*at = s = arena_one(p->a, struct skipped);
		s->example = path;
	}
	s->files++;
	s->bytes += size;
}

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static size_t depth(const char *path)
{
	size_t n = 0;

	for (; *path; path++)
		n += *path == '/';
	return n;
}

static int by_depth(const void *a, const void *b)
{
	const struct entry *x = *(const struct entry *const *)a, *y = *(const struct entry *const *)b;
	size_t dx = depth(x->path), dy = depth(y->path);

	return dx != dy ? (dx < dy ? -1 : 1) : strcmp(x->path, y->path);
}

enum { RULE_FILES = 1000, RULE_BYTES = 256 << 10 };

static void read_rules(struct rules *r, struct repo *repo, const struct entry *x, struct arena *a)
{
	const char *name = base(x->path), *dir = arena_strn(a, x->path, (size_t)(name - x->path));
	struct buf text = { 0 };

	if (!repo_blob(repo, x->blob, &text, NULL)) {
		if (!strcmp(name, ".atollignore"))
			ignore_add(&r->ignored, dir, text.p ? text.p : "", text.n, a);
		else {
			ignore_add_attr(&r->vendored, "linguist-vendored", dir, text.p ? text.p : "", text.n, a);
			ignore_add_attr(&r->generated, "linguist-generated", dir, text.p ? text.p : "", text.n, a);
		}
	}
	buf_free(&text);
}

static struct rules find_rules(struct repo *repo, const struct entries *t, struct arena *a)
{
	const struct entry *found[RULE_FILES];
	struct rules r = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < t->n && n < RULE_FILES; i++) {
		const char *name = base(t->v[i].path);
		if (t->v[i].is == ENTRY_FILE && t->v[i].size <= RULE_BYTES &&
		    (!strcmp(name, ".atollignore") || !strcmp(name, ".gitattributes")))
			found[n++] = &t->v[i];
	}
	qsort(found, n, sizeof *found, by_depth);
	for (size_t i = 0; i < n; i++)
		read_rules(&r, repo, found[i], a);
	return r;
}

/* Why an entry is left out as far as its path and size tell, or NULL. */
static const char *reason(const struct entry *x, const struct rules *r, uint64_t limit, const struct quarantine *q)
{
	static const char *const by_kind[] = {
		[ENTRY_SYMLINK] = "symlink", [ENTRY_SUBMODULE] = "submodule", [ENTRY_MISSING] = "missing",
	};
	const char *why = filter_path(x->path);

	if (by_kind[x->is])
		return by_kind[x->is];
	if (why)
		return why;
	if (ignore_has(&r->ignored, x->path))
		return ".atollignore";
	if (ignore_has(&r->vendored, x->path))
		return "linguist-vendored";
	if (quarantine_has(q, x->blob))
		return "quarantined";
	return x->size > limit ? "too large" : NULL;
}

int plan_make(struct plan *p, struct repo *repo, const char *commit, uint64_t file_limit,
    const struct quarantine *q, struct arena *a, struct err *e)
{
	struct entries t = { 0 };

	*p = (struct plan){ .a = a };
	if (repo_tree(repo, commit, a, &t, e))
		return free(t.v), -1;
	p->skips = map_new();
	p->v = arena_many(a, t.n + 1, struct planned);
	struct rules r = find_rules(repo, &t, a);
	for (size_t i = 0; i < t.n; i++) {
		const struct entry *x = &t.v[i];
		const struct lang *lang = lang_of(x->path, NULL, 0);
		bool script = !lang && !strchr(base(x->path), '.');	/* its first line may name an interpreter */
		const char *why = lang || script ? reason(x, &r, file_limit, q) : NULL;
		if (!lang && !script)
			why = x->is == ENTRY_FILE ? "unknown type" : reason(x, &r, file_limit, q);
		if (why) {
			plan_skip(p, why, x->path, x->size);
			continue;
		}
		p->v[p->n++] = (struct planned){
			{ x->path, arena_str(a, x->blob), lang ? lang_name(lang) : NULL, x->size,
			    filter_test(x->path),
			    filter_generated(x->path) || ignore_has(&r.generated, x->path) },
			lang,
		};
	}
	free(t.v);
	return 0;
}

void plan_free(struct plan *p)
{
	map_free(p->skips);
}
