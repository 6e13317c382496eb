#include "shard/handlers/changed_definitions.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "shard/base/text_lines.h"
#include "shard/facts/facts.h"
#include "shard/git/repo.h"

enum { NO_OWNER = -1 };
enum { RENAMES_MAX = 200 };		/* definitions that are compared */
enum { RENAME_SIMILARITY_MIN = 60 };	/* percent of lines in common */

/* One version of the file. */
struct diff_side {
	const struct definition *v;
	size_t n;
	struct line_offsets lines;
	const char *text;
	int *owner;		/* by line from 1: its innermost definition, or NO_OWNER */
	size_t nowner;
	bool *touched;		/* by definition: whether its lines changed */
	int *pair;		/* by definition: its index on the other side, or NO_OWNER */
};

/* ---- the owner of a line ---- */

static const char *line_at(const struct diff_side *f, size_t line, size_t *n)
{
	*n = 0;
	if (line < 1 || line > f->lines.n)
		return "";
	*n = f->lines.v[line] - f->lines.v[line - 1];
	return f->text + f->lines.v[line - 1];
}

/* Whether the line is a comment or decorator for what follows. */
static bool is_comment(const char *p, size_t n)
{
	static const char *const marks[] = { "//", "/*", "*", "#", "@", "--", "\"\"\"" };
	size_t i = 0;

	while (i < n && isspace((unsigned char)p[i]))
		i++;
	for (size_t k = 0; k < LEN(marks); k++)
		if (n - i >= strlen(marks[k]) && !strncmp(p + i, marks[k], strlen(marks[k])))
			return true;
	return false;
}

/* The first line of the comments and decorators directly above a definition. */
static uint32_t leading_comment_start(const struct diff_side *f, uint32_t start, int parent)
{
	while (start > 1) {
		size_t n;
		const char *p = line_at(f, start - 1, &n);
		if (!is_comment(p, n) || f->owner[start - 1] != parent)
			break;
		start--;
	}
	return start;
}

static bool is_shown(const struct definition *d)
{
	return strcmp(d->kind, "section") != 0;
}

/* Assigns the lines of each definition to it.  Parents come first, so the innermost one remains. */
static void assign_owners(struct diff_side *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct definition *d = &f->v[i];
		if (!is_shown(d) || !d->start_line)
			continue;
		uint32_t first = leading_comment_start(f, d->start_line, d->parent);
		for (uint32_t l = first; l <= d->end_line; l++)
			f->owner[l] = (int)i;
	}
}

static void diff_side_init(struct diff_side *f, const struct file_version *v, struct arena *a)
{
	uint32_t last = 0;

	*f = (struct diff_side){ .text = "" };
	if (v->text) {
		f->text = v->text;
		f->lines = text_lines(v->text, v->n, SIZE_MAX, a);
	}
	if (v->facts) {
		f->v = v->facts->definitions.v;
		f->n = v->facts->definitions.n;
	}
	for (size_t i = 0; i < f->n; i++)
		last = MAX(f->v[i].end_line, last);
	f->nowner = last + 1;
	f->owner = arena_many(a, f->nowner, int);
	f->touched = arena_many(a, f->n, bool);
	f->pair = arena_many(a, f->n, int);
	memset(f->owner, 0xff, f->nowner * sizeof *f->owner);	/* NO_OWNER */
	memset(f->pair, 0xff, f->n * sizeof *f->pair);
	assign_owners(f);
}

static bool is_blank(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isspace((unsigned char)p[i]))
			return false;
	return true;
}

static int owner_of(const struct diff_side *f, uint32_t line)
{
	if (line < f->nowner)
		return f->owner[line];
	return NO_OWNER;
}

/* Marks the owners of these lines as touched. Returns whether a line that is not blank has none. */
static bool mark_touched(struct diff_side *f, uint32_t start, uint32_t n, const char *text)
{
	bool outside = false;

	for (uint32_t l = start; l < start + n; l++) {
		size_t len = strcspn(text, "\n");
		int owner = owner_of(f, l);
		if (!is_blank(text, len)) {
			if (owner == NO_OWNER)
				outside = true;
			else
				f->touched[owner] = true;
		}
		text += len;
		if (*text)
			text++;
	}
	return outside;
}

/* ---- pairs of old and new definitions ---- */

static void pair(struct diff_side *old, size_t i, struct diff_side *now, size_t j)
{
	old->pair[i] = (int)j;
	now->pair[j] = (int)i;
}

static const char *key_of(const struct definition *d, struct map *seen, struct arena *a)
{
	char *key = arena_printf(a, "%s %s", d->kind, d->qualified);
	uintptr_t *times = (uintptr_t *)map_at(seen, key);

	return arena_printf(a, "%s %zu", key, (size_t)(*times)++);
}

/*
 * Pairs definitions with the same kind and qualified name; of several with one name the n-th with
 * the n-th.
 */
static void pair_same(struct diff_side *old, struct diff_side *now, struct arena *a)
{
	struct map *by_key = map_new(), *seen = map_new();

	for (size_t i = 0; i < old->n; i++)
		*map_at(by_key, key_of(&old->v[i], seen, a)) = (void *)(uintptr_t)(i + 1);
	map_free(seen);
	seen = map_new();
	for (size_t j = 0; j < now->n; j++) {
		uintptr_t i = (uintptr_t)map_get(by_key, key_of(&now->v[j], seen, a));
		if (i)
			pair(old, i - 1, now, j);
	}
	map_free(seen);
	map_free(by_key);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the word at `i` is the name. */
static bool is_name_at(const char *p, size_t n, size_t i, const char *name, size_t len)
{
	if (n - i < len || memcmp(p + i, name, len))
		return false;
	if (i && is_word(p[i - 1]))
		return false;
	return i + len == n || !is_word(p[i + len]);
}

/* The hash of a line without blanks at its ends and without the definition's own name. */
static uint64_t hash_line(const char *p, size_t n, const char *name)
{
	size_t len = strlen(name), i = 0;
	uint64_t h = 1469598103934665603u;

	while (n && isspace((unsigned char)*p)) {
		p++;
		n--;
	}
	while (n && isspace((unsigned char)p[n - 1]))
		n--;
	while (i < n) {
		if (len && is_name_at(p, n, i, name, len)) {
			i += len;
			continue;
		}
		h = (h ^ (unsigned char)p[i]) * 1099511628211u;
		i++;
	}
	return h;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t *hashes(
    const struct diff_side *f, const struct definition *d, size_t *n, struct arena *a)
{
	uint64_t *v = arena_many(a, d->end_line - d->start_line + 1, uint64_t);

	*n = 0;
	for (uint32_t l = d->start_line; l <= d->end_line; l++) {
		size_t len;
		const char *p = line_at(f, l, &len);
		if (!is_blank(p, len))
			v[(*n)++] = hash_line(p, len, d->name);
	}
	qsort(v, *n, sizeof *v, by_value);
	return v;
}

/* Lines in common, in percent of the longer one. */
static int similarity(const struct diff_side *old, const struct definition *x,
    const struct diff_side *now, const struct definition *y, struct arena *a)
{
	size_t n, m, i = 0, j = 0, same = 0;
	uint64_t *v = hashes(old, x, &n, a), *w = hashes(now, y, &m, a);

	while (i < n && j < m) {
		if (v[i] == w[j]) {
			same++;
			i++;
			j++;
		} else if (v[i] < w[j]) {
			i++;
		} else {
			j++;
		}
	}
	if (n && m)
		return (int)(same * 100 / MAX(n, m));
	return 0;
}

/* Whether two definitions have the same parent: none, or parents that are a pair. */
static bool same_parent(
    const struct diff_side *old, const struct definition *x, const struct definition *y)
{
	if (x->parent < 0)
		return y->parent < 0;
	return y->parent >= 0 && old->pair[x->parent] == y->parent;
}

/* Whether the i-th old definition may be the new one `y` under another name. */
static bool may_be_renamed(const struct diff_side *old, size_t i, const struct definition *y)
{
	const struct definition *x = &old->v[i];

	return old->pair[i] == NO_OWNER && !strcmp(x->kind, y->kind) && same_parent(old, x, y);
}

/*
 * Finds the old definition that the new one was: by name below a renamed parent, or else by its
 * lines.
 */
static int find_rename_source(
    const struct diff_side *old, const struct diff_side *now, size_t j, struct arena *a)
{
	const struct definition *y = &now->v[j];
	int best = NO_OWNER, best_likeness = RENAME_SIMILARITY_MIN - 1;
	size_t compared = 0;

	for (size_t i = 0; i < old->n && compared < RENAMES_MAX; i++) {
		const struct definition *x = &old->v[i];
		if (!may_be_renamed(old, i, y))
			continue;
		if (!strcmp(x->name, y->name))
			return (int)i;
		compared++;
		int likeness = similarity(old, x, now, y, a);
		if (likeness > best_likeness) {
			best = (int)i;
			best_likeness = likeness;
		}
	}
	return best;
}

static void pair_renamed(struct diff_side *old, struct diff_side *now, struct arena *a)
{
	size_t tried = 0;

	for (size_t j = 0; j < now->n; j++) {
		if (now->pair[j] != NO_OWNER || !is_shown(&now->v[j]))
			continue;
		if (++tried > RENAMES_MAX)
			return;
		int i = find_rename_source(old, now, j, a);
		if (i != NO_OWNER)
			pair(old, (size_t)i, now, j);
	}
}

/* ---- the answer ---- */

static void add(struct definition_edits *out, enum edit_kind kind, const struct definition *old,
    const struct definition *now)
{
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = (struct definition_edit){ kind, old, now };
}

static bool is_data(const char *kind)
{
	return !strcmp(kind, "field") || !strcmp(kind, "constant") || !strcmp(kind, "variable");
}

/*
 * Whether the definition adds nothing to the change: a field of a type that is itself new or gone.
 */
static bool is_detail(const struct diff_side *f, const struct definition *d)
{
	if (!is_shown(d))
		return true;
	if (d->parent < 0 || f->pair[d->parent] != NO_OWNER)
		return false;
	return !d->signature && is_data(d->kind);
}

static void put_now(const struct diff_side *old, const struct diff_side *now, bool both,
    struct definition_edits *out)
{
	for (size_t j = 0; j < now->n; j++) {
		const struct definition *y = &now->v[j], *x = NULL;
		bool touched = now->touched[j];
		if (!is_shown(y))
			continue;
		if (now->pair[j] != NO_OWNER) {
			x = &old->v[now->pair[j]];
			touched |= old->touched[now->pair[j]];
		}
		if (!x && both) {
			if (!is_detail(now, y))
				add(out, EDIT_ADDED, NULL, y);
		} else if (x && strcmp(x->name, y->name)) {
			add(out, EDIT_RENAMED, x, y);
		} else if (touched) {
			add(out, EDIT_CHANGED, x, y);
		}
	}
}

static void put_old(const struct diff_side *old, bool both, struct definition_edits *out)
{
	for (size_t i = 0; i < old->n; i++) {
		if (old->pair[i] != NO_OWNER || !is_shown(&old->v[i]))
			continue;
		if (both && !is_detail(old, &old->v[i]))
			add(out, EDIT_REMOVED, &old->v[i], NULL);
		else if (!both && old->touched[i])
			add(out, EDIT_CHANGED, &old->v[i], NULL);
	}
}

/* Whether the definitions of the version are known; a version that does not exist has none. */
static bool is_known(const struct file_version *v)
{
	return v->facts || !v->text;
}

void definition_edits_find(const struct file_version *old, const struct file_version *now,
    const struct diff_hunk *h, size_t n, struct definition_edits *out, struct arena *a)
{
	bool both = is_known(old) && is_known(now), outside = false;
	struct diff_side x, y;

	diff_side_init(&x, old, a);
	diff_side_init(&y, now, a);
	for (size_t i = 0; i < n; i++) {
		outside |= mark_touched(&x, h[i].old_start, h[i].old_lines, h[i].old_text);
		outside |= mark_touched(&y, h[i].new_start, h[i].new_lines, h[i].new_text);
	}
	pair_same(&x, &y, a);
	pair_renamed(&x, &y, a);
	bool changed = old->text && now->text;	/* a new file is in the list of files */
	bool has_definitions = x.n || y.n;
	if (outside && changed && has_definitions)
		add(out, EDIT_CHANGED, NULL, NULL);
	put_now(&x, &y, both, out);
	put_old(&x, both, out);
}
