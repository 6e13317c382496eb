#include "shard/search/symbol_lookup.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "proto/process/suggest.h"
#include "proto/text/symbol_match.h"
#include "shard/search/name_store.h"
#include "shard/search/similar_names.h"
#include "shard/search/symbol_ids.h"

enum {
	CANDIDATES_MAX = 2000,		/* symbols of one name */
	NAME_STARTS_MAX = 16		/* places in a text where a name could begin */
};

/* ---- how well a symbol matches ---- */

/* A heading matches only where no code has its name. */
enum { FIT_QUALIFIED = 9, FIT_NAME = 8, FIT_END = 7, FIT_HEADING = 6, FIT_FOLDED = 5, FIT_KEY = 4 };

static int fit(const char *asked, const struct symbol *y)
{
	size_t n = strlen(asked), m = strlen(y->qualified);

	bool heading = !strcmp(y->kind, "section");
	if (!strcmp(asked, y->qualified)) {
		if (heading)
			return FIT_HEADING;
		return FIT_QUALIFIED;
	}
	if (!strcmp(asked, y->name)) {
		if (heading)
			return FIT_HEADING;
		return FIT_NAME;
	}
	bool is_end = m > n && y->qualified[m - n - 1] == '.' && !strcmp(y->qualified + m - n, asked);
	if (is_end)
		return FIT_END;
	if (!strcasecmp(asked, y->qualified) || !strcasecmp(asked, y->name))
		return FIT_FOLDED;
	/* load_users for loadUsers */
	if (strpbrk(asked, "."))
		return 0;
	return FIT_KEY;
}

static int by_fit(const void *a, const void *b)
{
	const struct symbol_candidate *x = a, *y = b;

	if (x->fit != y->fit)
		return y->fit - x->fit;
	if (x->y.test != y->y.test)
		return x->y.test - y->y.test;
	int rc = strcmp(x->y.path, y->y.path);
	if (!rc)
		rc = (x->y.start_line > y->y.start_line) - (x->y.start_line < y->y.start_line);
	if (rc)
		return rc;
	return strcmp(x->y.qualified, y->y.qualified);
}

/* Rewrites Class::method, Class#method and Class->method with the dots of qualified names. */
static const char *dotted(const char *s, struct arena *a)
{
	char *out = arena_str(a, s), *w = out;
	const char *r = out;

	while (*r) {
		if (!strncmp(r, "::", 2) || !strncmp(r, "->", 2)) {
			*w++ = '.';
			r += 2;
		} else if (*r == '#') {
			*w++ = '.';
			r++;
		} else {
			*w++ = *r++;
		}
	}
	*w = 0;
	if (w > out + 2 && !strcmp(w - 2, "()"))
		w[-2] = 0;
	return out;
}

/* ---- symbols ---- */

struct symbol symbol_of_row(struct stmt *s, struct arena *a)
{
	struct symbol y = {
		.name = db_copy_text(s, 0, a),
		.qualified = db_copy_text(s, 1, a),
		.kind = db_copy_text(s, 2, a),
		.signature = db_copy_text(s, 3, a),
		.doc = db_copy_text(s, 4, a),
		.path = db_copy_text(s, 5, a),
		.start_line = (uint64_t)db_int(s, 6),
		.end_line = (uint64_t)db_int(s, 7),
		.parent = db_copy_text(s, 8, a),
		.exported = db_int(s, 9),
		.test = db_int(s, 10),
	};

	y.id = arena_printf(a, "%s#%s", y.path, y.qualified);
	return y;
}

#define CANDIDATES_SQL(names) \
	"select " SYMBOL_CANDIDATE_COLUMNS names " left join symbols p on p.id = s.parent" \
	" where s.key = ?1 and (?2 is null or f.path = ?2 or substr(f.path, 1, length(?2) + 1) =" \
	" ?2 || '/')" \
	" and s.kind = ifnull(?3, s.kind) order by f.path, s.start_byte, s.qualified, s.kind," \
	" s.ordinal limit 2000"

/* Appends the names of a store with the key of `name` that match `asked`, which ends in it. */
static int read_candidates(struct db *db, enum name_store store, const struct symbol_query *q,
    const char *name, const char *asked, struct symbol_candidate *found, size_t *n, struct arena *a,
    struct err *e)
{
	static const char *const sql[NAME_STORES] = {
		[NAMES_DEFINED] = CANDIDATES_SQL(NAMES_DEFINED_SQL),
		[NAMES_MINOR] = CANDIDATES_SQL(NAMES_MINOR_SQL),
		[NAMES_LEFT_OUT] = CANDIDATES_SQL(NAMES_LEFT_OUT_SQL),
	};
	const char *path = text_or_null(q->path);
	struct stmt *s = db_prep(db, sql[store], e);
	int rc;

	if (!s)
		return -1;
	if (path && path[strlen(path) - 1] == '/')
		path = arena_strn(a, path, strlen(path) - 1);
	db_bind(s, "sss", symbol_key(name, a), path, text_or_null(q->kind));
	while ((rc = db_step(s, e)) == 1 && *n < CANDIDATES_MAX) {
		found[*n] = symbol_candidate_of_row(s, a);
		found[*n].fit = fit(asked, &found[*n].y);
		if (found[*n].fit > 0)
			++*n;
	}
	if (rc < 0)
		return -1;
	return 0;
}

static int best_fit(const struct symbol_candidate *v, size_t n)
{
	int best = 0;

	for (size_t i = 0; i < n; i++)
		best = MAX(best, v[i].fit);
	return best;
}

/* Keeps what was found from `from` on, if it is as it was asked for and not only similar. */
static size_t drop_similar(struct symbol_candidate *v, size_t from, size_t n)
{
	for (size_t i = from; i < n; i++)
		if (v[i].fit >= FIT_HEADING)
			v[from++] = v[i];
	return from;
}

/*
 * Finds names that contain separators themselves, such as the heading `Release 1.2`: each part of
 * the text that could be a name is looked up.
 */
static int read_names_with_separators(struct db *db, const struct symbol_query *q,
    const char *asked, struct symbol_candidate *found, size_t *n, struct arena *a, struct err *e)
{
	const char *base = symbol_base_name(asked);
	size_t tries = 0;

	for (const char *name = asked; name && name < base && tries < NAME_STARTS_MAX; tries++) {
		size_t before = *n;
		if (read_candidates(db, NAMES_DEFINED, q, name, asked, found, n, a, e))
			return -1;
		*n = drop_similar(found, before, *n);
		if (*n > before)
			return 0;
		name = strpbrk(name, ".:#/>");
		if (name)
			name += strspn(name, ".:#/>");
	}
	return 0;
}

static int read_by_name(struct db *db, const struct symbol_query *q, const char *asked,
    struct symbol_candidate *found, size_t *n, struct arena *a, struct err *e)
{
	if (!*asked)
		return 0;
	if (read_candidates(db, NAMES_DEFINED, q, symbol_base_name(asked), asked, found, n, a, e))
		return -1;
	if (best_fit(found, *n) >= FIT_HEADING)
		return 0;
	return read_names_with_separators(db, q, asked, found, n, a, e);
}

/* Finds names with `#`, `::`, `->` or `()` in them, such as a heading about `C#`. */
static int read_as_written(struct db *db, const struct symbol_query *q,
    struct symbol_candidate *found, size_t *n, struct arena *a, struct err *e)
{
	size_t before = *n;

	if (read_by_name(db, q, q->symbol, found, n, a, e))
		return -1;
	*n = drop_similar(found, before, *n);
	return 0;
}

int symbol_lookup_all(struct db *db, const struct symbol_query *q, struct symbol_candidate **v,
    size_t *n, struct arena *a, struct err *e)
{
	const char *asked = dotted(q->symbol, a);

	*v = arena_many(a, CANDIDATES_MAX, struct symbol_candidate);
	*n = 0;
	if (!*asked)
		return err_set(e, ERR_INVALID_INPUT,
		    "symbol: empty; give a name such as `load_users` or `Class.method`");
	int is_id = symbol_ids_find(db, q, *v, CANDIDATES_MAX, n, a, e);
	if (is_id < 0)
		return -1;
	if (!is_id && read_by_name(db, q, asked, *v, n, a, e))
		return -1;
	bool as_written = best_fit(*v, *n) >= FIT_HEADING || !strcmp(asked, q->symbol);
	if (!is_id && !as_written && read_as_written(db, q, *v, n, a, e))
		return -1;
	const char *base = symbol_base_name(asked);
	for (int store = NAMES_MINOR; !is_id && !*n && store < NAME_STORES; store++)
		if (read_candidates(db, store, q, base, asked, *v, n, a, e))
			return -1;
	if (*n)
		qsort(*v, *n, sizeof **v, by_fit);
	return 0;
}

/* ---- nothing found ---- */

/* Where the symbol is, if only the path or the kind of the query was wrong; "" if nowhere. */
static const char *elsewhere(
    struct db *db, const struct symbol_query *q, struct arena *a, struct err *e)
{
	const struct symbol_query anywhere = { .symbol = q->symbol };
	struct symbol_candidate *v;
	struct buf out = { 0 };
	size_t n;

	if (!text_is_set(q->path) && !text_is_set(q->kind))
		return "";
	if (symbol_lookup_all(db, &anywhere, &v, &n, a, e))
		return "";
	buf_str(&out, "");
	for (size_t i = 0; i < n && i < 3; i++) {
		if (i)
			buf_str(&out, ", ");
		buf_printf(&out, "`%s` (%s)", v[i].y.id, v[i].y.kind);
	}
	const char *text = arena_str(a, out.p);
	buf_free(&out);
	return text;
}

static int unknown(struct db *db, const struct symbol_query *q, struct arena *a, struct err *e)
{
	struct err ignored = { 0 };
	const char *near = elsewhere(db, q, a, &ignored), *where = "";

	if (!*near && !ignored.code)
		near = similar_names(db, q->symbol, q->until_ms, a, &ignored);
	if (ignored.code) {
		*e = ignored;
		return -1;
	}
	if (text_is_set(q->path))
		where = arena_printf(a, " in %.60s", q->path);
	err_set(
	    e, ERR_NOT_FOUND, "no definition `%.100s`%s%s", q->symbol, where, suggest_phrase(near, a));
	return err_hint(
	    e, "`query` finds definitions by words; names are matched with or without their parents.");
}

/* ---- one target ---- */

static bool is_constructor_of(
    const struct symbol_candidate *l, const struct symbol_candidate *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (l->parent && v[i].id == l->parent)
			return true;
	return false;
}

/*
 * Of the best matches, drops tests if there is other code, and what a type among them contains.
 * Returns how many are left.
 */
static size_t drop_less_meant(struct symbol_candidate *v, size_t n)
{
	size_t best = 0, k = 0;

	while (best < n && v[best].fit == v[0].fit && v[best].y.test == v[0].y.test)
		best++;
	bool *drop = xcalloc(best + 1, sizeof *drop);
	for (size_t i = 0; i < best; i++)
		drop[i] = is_constructor_of(&v[i], v, best);
	for (size_t i = 0; i < best; i++)
		if (!drop[i])
			v[k++] = v[i];
	free(drop);
	return k;
}

/* Overloads, declarations and the parts of one: the same name in the same file. */
static bool is_one_definition(const struct symbol_candidate *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i].file != v[0].file || strcmp(v[i].y.qualified, v[0].y.qualified))
			return false;
	return true;
}

static void set_target(
    struct symbol_target *t, struct symbol_candidate *v, size_t n, struct arena *a)
{
	t->symbol = &v[0].y;
	t->file = v[0].file;
	t->ids = arena_many(a, n, int64_t);
	for (size_t i = 0; i < n; i++)
		t->ids[t->nids++] = v[i].id;
}

/*
 * Code that is named like the last part of the text: `svc.load` as it is written in a call does not
 * tell that svc is a Server.  Whether it is meant is for the caller to say, so these are candidates
 * even if there is only one.
 */
static int read_last_part(struct db *db, const struct symbol_query *q, struct symbol_candidate *v,
    size_t *n, struct arena *a, struct err *e)
{
	const char *text = dotted(q->symbol, a), *last = symbol_base_name(text);
	size_t k = 0;

	if (last == text)
		return 0;
	if (read_candidates(db, NAMES_DEFINED, q, last, last, v, n, a, e))
		return -1;
	for (size_t i = 0; i < *n; i++)
		if (strcmp(v[i].y.kind, "section") && !strcmp(v[i].y.name, last))
			v[k++] = v[i];
	*n = k;
	if (k)
		qsort(v, k, sizeof *v, by_fit);
	return 0;
}

static void set_candidates(struct symbol_target *t, const struct symbol_candidate *v, size_t n,
    size_t limit, struct arena *a)
{
	t->total = n;
	t->candidates = arena_many(a, MIN(n, limit), struct symbol);
	for (; t->ncandidates < n && t->ncandidates < limit; t->ncandidates++)
		t->candidates[t->ncandidates] = v[t->ncandidates].y;
}

/* Finds the file whose path this is, if the query wants files: 1, 0 or -1. */
static int find_file(struct db *db, const struct symbol_query *q, struct symbol_candidate *out,
    struct arena *a, struct err *e)
{
	if (text_is_set(q->kind) && strcmp(q->kind, "file"))
		return 0;
	if (text_is_set(q->path) && strcmp(q->path, q->symbol))
		return 0;
	return symbol_ids_file(db, q->symbol, out, a, e);
}

int symbol_lookup_target(struct db *db, const struct symbol_query *q, size_t limit,
    struct symbol_target *t, struct arena *a, struct err *e)
{
	struct symbol_candidate *v, *file = arena_one(a, struct symbol_candidate);
	size_t n;

	*t = (struct symbol_target){ 0 };
	if (symbol_lookup_all(db, q, &v, &n, a, e))
		return -1;
	int is_file = find_file(db, q, file, a, e);
	if (is_file < 0)
		return -1;
	if (is_file) {		/* its path is its id, even if something else has such a name */
		t->total = n + 1;
		set_target(t, file, 1, a);
		return 0;
	}
	if (!n) {
		if (read_last_part(db, q, v, &n, a, e))
			return -1;
		set_candidates(t, v, n, limit, a);
		if (n)
			return 0;
		return unknown(db, q, a, e);
	}
	struct symbol_candidate *all = arena_many(a, n, struct symbol_candidate);
	memcpy(all, v, n * sizeof *v);
	size_t meant = drop_less_meant(v, n);
	if (!is_one_definition(v, meant)) {
		set_candidates(t, all, n, limit, a);
		return 0;
	}
	t->total = n;
	set_target(t, v, meant, a);
	return 0;
}

int symbol_lookup_line(
    struct db *db, const char *path, uint64_t line, int64_t *file, int64_t *symbol, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select f.id, ifnull((select s.id from symbols s where s.file = f.id and s.start_line <= ?2"
	    " and s.end_line >= ?2 order by s.end_line - s.start_line, s.start_byte desc, s.qualified"
	    " limit 1), 0)"
	    " from files f where f.path = ?1",
	    e);
	int rc, found = 0;

	if (!s || db_bind(s, "si", path, (int64_t)line))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		*file = db_int(s, 0);
		*symbol = db_int(s, 1);
		found = 1;
	}
	if (rc < 0)
		return -1;
	if (found)
		return 0;
	return err_set(e, ERR_NOT_FOUND, "file `%.150s` is not in the index", path);
}
