#include "shard/ingest/ingest_plan.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/git/gitignore.h"
#include "shard/graph/scip/scip.h"
#include "shard/index/scip_sources.h"
#include "shard/ingest/file_filter.h"
#include "shard/ingest/quarantine.h"
#include "shard/parse/parser.h"

static const char vendored[] = "linguist-vendored", too_large[] = "too large";

/* A file whose names are read although it is left out has at most this size. */
enum { LEFT_OUT_BYTES_MAX = 2 << 20 };

/* A lock file whose packages are read has at most this size. */
enum { LOCK_BYTES_MAX = 8 << 20 };

struct plan_rules {
	struct ignore_rules ignored, vendored, generated;
};

void plan_add_skipped(struct plan *p, const char *reason, const char *path, uint64_t size)
{
	p->skipped = grow(p->skipped, &p->cap, p->nskipped + 1, sizeof *p->skipped);
	p->skipped[p->nskipped++] = (struct skipped_file){ path, reason, size };
}

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		return slash + 1;
	return path;
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
	const struct rule_file *x = a, *y = b;
	size_t dx = depth(x->path), dy = depth(y->path);

	if (dx != dy)
		return (dx > dy) - (dx < dy);
	return strcmp(x->path, y->path);
}

enum { RULE_FILES = 1000, RULE_BYTES = 256 << 10 };

static void read_rules(
    struct plan_rules *r, struct repo *repo, const struct rule_file *x, struct arena *a)
{
	const char *name = base(x->path), *dir = arena_strn(a, x->path, (size_t)(name - x->path));
	struct buf text = { 0 };

	buf_str(&text, "");	/* never NULL */
	if (!repo_blob(repo, x->blob, &text, NULL)) {
		if (!strcmp(name, ".atollignore")) {
			ignore_add(&r->ignored, dir, text.p, text.n, a);
		} else {
			ignore_add_attr(&r->vendored, "linguist-vendored", dir, text.p, text.n, a);
			ignore_add_attr(&r->generated, "linguist-generated", dir, text.p, text.n, a);
		}
	}
	buf_free(&text);
}

bool plan_is_rule_file(const char *path)
{
	return !strcmp(base(path), ".atollignore") || !strcmp(base(path), ".gitattributes");
}

struct plan_rules *plan_rules(
    struct repo *repo, const struct rule_file *files, size_t n, struct arena *a)
{
	struct rule_file *v = arena_many(a, n + 1, struct rule_file);
	struct plan_rules *r = arena_one(a, struct plan_rules);

	if (n)
		memcpy(v, files, n * sizeof *v);
	qsort(v, n, sizeof *v, by_depth);
	for (size_t i = 0; i < n; i++)
		read_rules(r, repo, &v[i], a);
	return r;
}

static bool holds_rules(const struct tree_entry *x)
{
	return x->is == ENTRY_FILE && x->size <= RULE_BYTES && plan_is_rule_file(x->path);
}

static void find_rules(struct plan *p, const struct tree_entries *t, struct arena *a)
{
	p->rules = arena_many(a, RULE_FILES, struct rule_file);
	for (size_t i = 0; i < t->n && p->nrules < RULE_FILES; i++)
		if (holds_rules(&t->v[i]))
			p->rules[p->nrules++] = (struct rule_file){ t->v[i].path, arena_str(a, t->v[i].blob) };
}

/*
 * Why an entry is skipped, as far as its path and size decide, or NULL. An entry that cannot be read
 * is one only if it would be indexed otherwise, or decides what is.
 */
static const char *reason(
    const struct tree_entry *x, struct plan_rules *r, uint64_t limit, const struct quarantine *q)
{
	const char *why = filter_skip_path(x->path);

	if (x->is == ENTRY_OVER_LIMIT)
		return x->why;
	if (x->is == ENTRY_SYMLINK)
		return "symlink";
	if (x->is == ENTRY_SUBMODULE)
		return "submodule";
	if (x->is == ENTRY_UNREADABLE && plan_is_rule_file(x->path))
		return x->why;
	if (why)
		return why;
	if (ignore_matches(&r->ignored, x->path))
		return ".atollignore";
	if (ignore_matches(&r->vendored, x->path))
		return vendored;
	if (x->is == ENTRY_UNREADABLE)
		return x->why;
	if (quarantine_has(q, x->blob))
		return "quarantined";
	if (x->size > limit)
		return too_large;
	return NULL;
}

/* Whether only the type of its name decides: a file, even one whose object cannot be read. */
static bool decides_type(const struct tree_entry *x)
{
	if (x->is == ENTRY_UNREADABLE)
		return *x->blob && !plan_is_rule_file(x->path);
	return x->is == ENTRY_FILE;
}

/*
 * Whether the names of a file can be read although it is left out; `lang` is NULL if its first line
 * may name an interpreter.
 */
static bool may_have_names(const struct tree_entry *x, const struct lang *lang, const char *why,
    struct plan_rules *r, const struct quarantine *q)
{
	if (strcmp(why, vendored) && strcmp(why, too_large) && strcmp(why, FILTER_HIDDEN))
		return false;
	if (x->is != ENTRY_FILE || x->size > LEFT_OUT_BYTES_MAX)
		return false;
	if ((lang && !lang_defines_names(lang)) || quarantine_has(q, x->blob))
		return false;
	return !ignore_matches(&r->ignored, x->path);
}

/*
 * Why the packages of a lock file are not read, or NULL.  `why`: the reason to skip it.  Packages of
 * tests are nobody's; that the file is generated does not matter.
 */
static const char *lock_reason(
    const struct tree_entry *x, const char *why, struct plan_rules *r, const struct quarantine *q)
{
	if (filter_is_test(x->path) || ignore_matches(&r->ignored, x->path) ||
	    ignore_matches(&r->vendored, x->path))
		return why;
	if (x->is == ENTRY_UNREADABLE)
		return x->why;
	if (x->is != ENTRY_FILE)
		return why;
	if (quarantine_has(q, x->blob))
		return "quarantined";
	if (x->size > LOCK_BYTES_MAX)
		return FILTER_LOCK ": more than 8 MB";
	return NULL;
}

const char *plan_check_entry(const struct tree_entry *x, struct plan_rules *r, uint64_t limit,
    const struct quarantine *q, struct planned_file *out)
{
	const struct lang *lang = lang_detect(x->path, NULL, 0);
	bool script = !lang && lang_needs_content(x->path);	/* its first line may name an interpreter */
	bool is_lock = filter_is_lock(x->path);
	const char *why_not = NULL;

	if (!lang && !script && !is_lock && decides_type(x))
		return "unknown type";
	const char *why = reason(x, r, limit, q);
	if (is_lock)
		why_not = lock_reason(x, why, r, q);
	else if (why && !may_have_names(x, lang, why, r, q))
		why_not = why;
	if (why_not)
		return why_not;
	*out = (struct planned_file){ .lang = lang, .left_out = why, .is_lock = is_lock };
	out->file = (struct indexed_file){
		.path = x->path,
		.blob = x->blob,
		.size = x->size,
		.test = filter_is_test(x->path),
		.generated = filter_is_generated(x->path) || ignore_matches(&r->generated, x->path),
	};
	if (lang)
		out->file.language = lang_name(lang);
	return NULL;
}

/* Takes a SCIP index, which is not indexed itself. Returns whether the entry is one. */
static bool take_scip(struct plan *p, const struct tree_entry *x, struct plan_rules *r,
    const struct quarantine *q, struct arena *a)
{
	if (!scip_sources_is_path(x->path))
		return false;
	const char *why = reason(x, r, SCIP_MAX_BYTES, q);
	if (why)
		plan_add_skipped(p, why, x->path, x->size);
	else
		p->scips[p->nscips++] = (struct rule_file){ x->path, arena_str(a, x->blob) };
	return true;
}

static size_t count_scips(const struct tree_entries *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += scip_sources_is_path(t->v[i].path);
	return n;
}

/* Decides about each entry of the tree. */
static void plan_entries(struct plan *p, const struct tree_entries *t, uint64_t file_limit,
    struct plan_rules *r, const struct quarantine *q, struct arena *a)
{
	struct planned_file *left_out = arena_many(a, t->n + 1, struct planned_file);
	size_t nleft_out = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct planned_file *x = &p->v[p->n];
		if (take_scip(p, &t->v[i], r, q, a))
			continue;
		const char *why = plan_check_entry(&t->v[i], r, file_limit, q, x);
		if (why) {
			plan_add_skipped(p, why, t->v[i].path, t->v[i].size);
			continue;
		}
		x->file.blob = arena_str(a, x->file.blob);
		if (x->left_out)
			left_out[nleft_out++] = *x;
		else
			p->n++;
	}
	for (size_t i = 0; i < nleft_out; i++)
		p->v[p->n++] = left_out[i];
}

int plan_make(struct plan *p, struct repo *repo, const char *commit, uint64_t file_limit,
    const struct quarantine *q, struct arena *a, struct err *e)
{
	struct tree_entries t = { 0 };

	*p = (struct plan){ 0 };
	if (repo_tree(repo, commit, a, &t, e)) {
		free(t.v);
		return -1;
	}
	p->v = arena_many(a, t.n + 1, struct planned_file);
	p->scips = arena_many(a, count_scips(&t) + 1, struct rule_file);
	find_rules(p, &t, a);
	struct plan_rules *r = plan_rules(repo, p->rules, p->nrules, a);
	plan_entries(p, &t, file_limit, r, q, a);
	const char *exhausted = NULL;
	if (r->ignored.spent)
		exhausted = ".atollignore";
	else if (r->vendored.spent || r->generated.spent)
		exhausted = ".gitattributes";
	if (exhausted)
		plan_add_skipped(
		    p, "rules: more than 200000000 steps of matching, and 20000 a path", exhausted, 0);
	free(t.v);
	return 0;
}

void plan_free(struct plan *p)
{
	free(p->skipped);
}
