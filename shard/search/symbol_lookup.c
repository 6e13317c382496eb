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
#include "proto/text/tokens.h"
#include "shard/index/postings.h"
#include "shard/storage/symbol_store.h"

enum {
	CANDIDATES_MAX = 2000,		/* symbols of one name */
	WORDS = 8,			/* words of a name that similar names are found by */
	SHARING = 4000,			/* documents that contain one of them prominently */
	NAME_WEIGHT = 6			/* the weight of a word in a name (postings.c) */
};

/* ---- how well a symbol matches ---- */

/* A heading matches only where no code has its name. */
enum { FIT_ID = 10, FIT_QUALIFIED = 9, FIT_NAME = 8, FIT_END = 7, FIT_HEADING = 6, FIT_FOLDED = 5,
    FIT_KEY = 4 };

static int fit(const char *asked, const char *id_path, const struct symbol *y)
{
	size_t n = strlen(asked), m = strlen(y->qualified);

	if (id_path) {
		if (!strcmp(id_path, y->path) && !strcmp(asked, y->qualified))
			return FIT_ID;
		return 0;
	}
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

/* ---- files ---- */

/* Finds the file with this path: 1, 0 if there is none, or -1. */
static int find_file(
    struct db *db, const char *path, struct symbol_candidate *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select id, path, lines, test from files where path = ?", e);
	int rc, found = 0;

	if (!s || db_bind(s, "s", path))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		const char *own = arena_str(a, db_str(s, 1)), *slash = strrchr(own, '/'), *name = own;
		if (slash)
			name = slash + 1;
		*out = (struct symbol_candidate){ .file = db_int(s, 0), .fit = FIT_ID };
		out->y = (struct symbol){
			.id = own,
			.name = name,
			.qualified = own,
			.kind = "file",
			.path = own,
			.start_line = 1,
			.end_line = (uint64_t)MAX(db_int(s, 2), 1),
			.test = db_int(s, 3),
		};
		found = 1;
	}
	if (rc < 0)
		return -1;
	return found;
}

/*
 * Splits an id such as a/file.py#Class.method; `*path` stays NULL for anything else, such as
 * Class#method.
 */
static int split_id(struct db *db, const char *symbol, const char **path, const char **asked,
    struct arena *a, struct err *e)
{
	struct symbol_candidate file;
	const char *hash = strchr(symbol, '#');

	*path = NULL;
	*asked = symbol;
	while (hash) {
		const char *head = arena_strn(a, symbol, (size_t)(hash - symbol));
		int rc = 0;
		if (*head)
			rc = find_file(db, head, &file, a, e);
		if (rc < 0)
			return -1;
		if (rc) {
			*path = head;
			*asked = hash + 1;
			return 0;
		}
		hash = strchr(hash + 1, '#');
	}
	return 0;
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

static struct symbol_candidate row(struct stmt *s, struct arena *a)
{
	return (struct symbol_candidate){
		.y = symbol_of_row(s, a),
		.id = db_int(s, 11),
		.file = db_int(s, 12),
		.parent = db_int(s, 13),
	};
}

#define CANDIDATES_SQL(table) \
	"select s.name, s.qualified, s.kind, s.signature, s.doc, f.path, s.start_line," \
	" s.end_line, p.qualified, s.exported, s.test, s.id, s.file, ifnull(s.parent, 0)" \
	" from " table " s join files f on f.id = s.file left join symbols p on p.id = s.parent" \
	" where s.key = ?1 and (?2 is null or f.path = ?2 or substr(f.path, 1, length(?2) + 1) =" \
	" ?2 || '/')" \
	" and s.kind = ifnull(?3, s.kind) order by f.path, s.start_byte, s.qualified, s.kind," \
	" s.ordinal limit 2000"

/* Appends the symbols or minor names with the key of `asked` that match. */
static int read_candidates(struct db *db, enum symbol_rank rank, const struct symbol_query *q,
    const char *id_path, const char *asked, struct symbol_candidate *found, size_t *n,
    struct arena *a, struct err *e)
{
	static const char *const sql[] = {
		[SYMBOLS_MAJOR] = CANDIDATES_SQL("symbols"),
		[SYMBOLS_MINOR] = CANDIDATES_SQL("minor_symbols"),
	};
	const char *path = text_or_null(q->path);
	struct stmt *s = db_prep(db, sql[rank], e);
	int rc;

	if (!s)
		return -1;
	if (path && path[strlen(path) - 1] == '/')
		path = arena_strn(a, path, strlen(path) - 1);
	db_bind(s, "sss", symbol_key(symbol_base_name(asked), a), path, text_or_null(q->kind));
	while ((rc = db_step(s, e)) == 1 && *n < CANDIDATES_MAX) {
		found[*n] = row(s, a);
		found[*n].fit = fit(asked, id_path, &found[*n].y);
		if (found[*n].fit > 0)
			++*n;
	}
	if (rc < 0)
		return -1;
	return 0;
}

int symbol_lookup_all(struct db *db, const struct symbol_query *q, struct symbol_candidate **v,
    size_t *n, struct arena *a, struct err *e)
{
	const char *id_path, *asked;

	*v = arena_many(a, CANDIDATES_MAX, struct symbol_candidate);
	*n = 0;
	if (split_id(db, q->symbol, &id_path, &asked, a, e))
		return -1;
	if (!id_path)
		asked = dotted(asked, a);
	if (!*asked)
		return err_set(e, ERR_INVALID_INPUT,
		    "symbol: empty; give a name such as `load_users` or `Class.method`");
	if (read_candidates(db, SYMBOLS_MAJOR, q, id_path, asked, *v, n, a, e))
		return -1;
	if (!*n && read_candidates(db, SYMBOLS_MINOR, q, id_path, asked, *v, n, a, e))
		return -1;
	qsort(*v, *n, sizeof **v, by_fit);
	return 0;
}

/* ---- similar names ---- */

struct name_list {
	const char **v;
	size_t n, cap;
};

static int read_names(struct stmt *s, struct name_list *out, struct arena *a, struct err *e)
{
	int rc;

	while ((rc = db_step(s, e)) == 1) {
		out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = arena_str(a, db_str(s, 0));
	}
	return rc;
}

struct name_overlap {
	const char *name;
	size_t words;
};

static int by_words(const void *a, const void *b)
{
	const struct name_overlap *x = a, *y = b;
	size_t n = strlen(x->name), m = strlen(y->name);

	if (x->words != y->words)
		return (x->words < y->words) - (x->words > y->words);
	if (n != m)
		return (n > m) - (n < m);
	return strcmp(x->name, y->name);
}

/* The number of words of `asked` that are in the name. */
static size_t shared(const struct terms *asked, const char *name, struct arena *a)
{
	struct terms own = terms_of(name, 2 * WORDS, a);
	size_t n = 0;

	for (size_t i = 0; i < asked->n; i++)
		for (size_t k = 0; k < own.n; k++)
			if (!strcmp(asked->v[i].text, own.v[k].text)) {
				n++;
				break;
			}
	return n;
}

/* Documents that contain a word prominently, as those do that have it in their name. */
struct prominent_docs {
	int64_t *v;
	size_t n, cap;
};

static void note_prominent(void *arg, int64_t doc, double weight)
{
	struct prominent_docs *p = arg;

	if (weight < NAME_WEIGHT || p->n >= SHARING)
		return;
	p->v = grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n++] = doc;
}

static int names_of(struct db *db, const struct prominent_docs *p, struct name_list *out,
    struct arena *a, struct err *e)
{
	for (size_t i = 0; i < p->n; i++) {
		struct stmt *s = db_prep(db,
		    "select s.qualified from docs d join symbols s on s.id = d.symbol"
		    " where d.id = ? and s.kind <> 'section'",
		    e);
		if (!s || db_bind(s, "i", p->v[i]) || read_names(s, out, a, e) < 0)
			return -1;
	}
	return 0;
}

/* Keeps the names that share words, the best first, each once. */
static void rank_names(const struct terms *asked, struct name_list *out, struct arena *a)
{
	struct name_overlap *v = arena_many(a, out->n, struct name_overlap);
	size_t n = 0, k = 0;

	for (size_t i = 0; i < out->n; i++) {
		size_t words = shared(asked, out->v[i], a);
		if (words)
			v[n++] = (struct name_overlap){ out->v[i], words };
	}
	if (n)
		qsort(v, n, sizeof *v, by_words);
	for (size_t i = 0; i < n; i++)
		if (!k || strcmp(out->v[k - 1], v[i].name))
			out->v[k++] = v[i].name;
	out->n = k;
}

/* Finds names that share words with the one asked for, those that share most first. */
static int names_sharing_words(
    struct db *db, const char *asked, struct name_list *out, struct arena *a, struct err *e)
{
	struct terms t = terms_of(asked, WORDS, a);
	struct prominent_docs docs = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < t.n; i++)
		rc = postings_each(db, t.v[i].text, note_prominent, &docs, e);
	if (!rc)
		rc = names_of(db, &docs, out, a, e);
	if (!rc)
		rank_names(&t, out, a);
	free(docs.v);
	return rc;
}

/* Reads the keys of the index that have about the length of `key`. */
static int read_keys(
    struct db *db, const char *key, struct name_list *keys, struct arena *a, struct err *e)
{
	int64_t len = (int64_t)strlen(key);
	struct stmt *s = db_prep(
	    db, "select distinct key from symbols where length(key) between ? and ?", e);

	if (!s || db_bind(s, "ii", len * 2 / 3, len * 3 / 2 + 1))
		return -1;
	return read_names(s, keys, a, e);
}

static int read_names_of_key(
    struct db *db, const char *key, struct name_list *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select distinct qualified from symbols where key = ?"
	    " order by length(qualified), qualified limit 2",
	    e);

	if (!s || db_bind(s, "s", key))
		return -1;
	return read_names(s, out, a, e);
}

/* Finds names that are spelled like the one asked for: keys are compared, names are shown. */
static int spelled_alike(
    struct db *db, const char *asked, struct name_list *out, struct arena *a, struct err *e)
{
	const char *key = symbol_key(symbol_base_name(asked), a), *near[SUGGEST_MAX];
	struct name_list keys = { 0 };
	size_t n = 0;
	int rc = read_keys(db, key, &keys, a, e);

	if (!rc)
		n = suggest_pick(key, keys.v, keys.n, near, a);
	for (size_t i = 0; !rc && i < n; i++)
		rc = read_names_of_key(db, near[i], out, a, e);
	free(keys.v);
	return rc;
}

static const char *similar_names(struct db *db, const char *asked, struct arena *a, struct err *e)
{
	struct name_list names = { 0 };
	struct buf out = { 0 };

	if (!spelled_alike(db, asked, &names, a, e) && !names.n)
		names_sharing_words(db, symbol_base_name(asked), &names, a, e);
	buf_str(&out, "");
	for (size_t i = 0; i < names.n && i < SUGGEST_MAX; i++) {
		if (i)
			buf_str(&out, ", ");
		buf_printf(&out, "`%s`", names.v[i]);
	}
	const char *near = arena_str(a, out.p);
	buf_free(&out);
	free(names.v);
	return near;
}

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
		near = similar_names(db, q->symbol, a, &ignored);
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

int symbol_lookup_target(struct db *db, const struct symbol_query *q, size_t limit,
    struct symbol_target *t, struct arena *a, struct err *e)
{
	struct symbol_candidate *v, *file = arena_one(a, struct symbol_candidate);
	size_t n;

	*t = (struct symbol_target){ 0 };
	if (symbol_lookup_all(db, q, &v, &n, a, e))
		return -1;
	int rc = 0;
	if (!n)
		rc = find_file(db, q->symbol, file, a, e);
	if (rc < 0)
		return -1;
	if (rc) {
		t->total = 1;
		set_target(t, file, 1, a);
		return 0;
	}
	if (!n)
		return unknown(db, q, a, e);
	t->total = n;
	size_t total = n;
	struct symbol_candidate *all = arena_many(a, n, struct symbol_candidate);
	memcpy(all, v, n * sizeof *v);
	n = drop_less_meant(v, n);
	if (is_one_definition(v, n)) {
		set_target(t, v, n, a);
		return 0;
	}
	t->candidates = arena_many(a, total, struct symbol);
	for (; t->ncandidates < total && t->ncandidates < limit; t->ncandidates++)
		t->candidates[t->ncandidates] = all[t->ncandidates].y;
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
