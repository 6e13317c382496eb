#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/storage/symbol_store_internal.h"

/*
 * The virtual tables `symbols` and `minor_symbols`.  Each caches the definitions of a few files,
 * because statements read many rows of one file in a row.
 */

enum {
	CACHED_FILES = 32,
	LARGE_FILES = 4,	/* of these, with many definitions */
	LARGE = 2000,
	SCANS = 8		/* searches of a file's names, one by one, before they are indexed */
};

struct cached_symbols {
	struct packed_symbols file;
	uint64_t state;		/* db_data_version when it was read */
	int users;
	int searches;		/* for a key */
	struct key_place *keys;	/* in order of hash and place; NULL until there were many searches */
};

/* A name of a file, found by the hash of its key. */
struct key_place {
	uint32_t hash, place;
};

struct symbol_table {
	struct db *db;
	enum symbol_rank rank;	/* of the rows that are found by name or file */
	struct cached_symbols *cache[CACHED_FILES];
	unsigned next, next_large;	/* the first LARGE_FILES slots hold large files */
};

static void cached_symbols_release(struct cached_symbols *u)
{
	if (!u || --u->users)
		return;
	arena_free(u->file.a);
	free(u);
}

/* An empty entry for the slot.  One that a cursor still uses stays alive, but leaves the cache. */
static struct cached_symbols *cache_slot_reset(struct cached_symbols **at)
{
	if (!*at || (*at)->users > 1) {
		cached_symbols_release(*at);
		*at = xcalloc(1, sizeof **at);
		(*at)->file.a = arena_new();
	}
	arena_reset((*at)->file.a);
	**at = (struct cached_symbols){ .file.a = (*at)->file.a, .users = 1 };
	return *at;
}

/* Moves a large file to the slots for those, which bounds the memory of the cache. */
static void move_to_large(struct symbol_table *t, struct cached_symbols **at)
{
	struct cached_symbols **large = &t->cache[t->next_large++ % LARGE_FILES];

	cached_symbols_release(*large);
	*large = *at;
	*at = NULL;
}

static struct cached_symbols *unpack(struct symbol_table *t, int64_t file, enum symbol_rank rank,
    size_t max, uint64_t state, struct err *e)
{
	const unsigned others = CACHED_FILES - LARGE_FILES;
	struct cached_symbols **at = &t->cache[LARGE_FILES + t->next++ % others];
	struct cached_symbols *u = cache_slot_reset(at);

	if (packed_symbols_read(t->db, file, rank, max, u->file.a, &u->file, e)) {
		u->file.file = 0;
		return NULL;
	}
	u->state = state;
	if (u->file.count > LARGE)
		move_to_large(t, at);
	return u;
}

static bool is_current(
    const struct cached_symbols *u, int64_t file, enum symbol_rank rank, uint64_t state)
{
	if (!u || !u->file.file || u->state != state)
		return false;
	return u->file.file == file && u->file.rank == rank;
}

/*
 * At least the first `needed` definitions of a file.  The caller releases the result; NULL with
 * `e` on failure.
 */
static struct cached_symbols *cached_symbols_of(
    struct symbol_table *t, int64_t file, enum symbol_rank rank, size_t needed, struct err *e)
{
	uint64_t state = db_data_version(t->db);
	struct cached_symbols *found = NULL;
	size_t max = needed;

	for (int i = 0; i < CACHED_FILES && !found; i++) {
		struct cached_symbols *u = t->cache[i];
		if (!is_current(u, file, rank, state))
			continue;
		max = SIZE_MAX;		/* a file that is read twice is likely to be read further */
		if (u->file.n == u->file.count || u->file.n >= needed)
			found = u;
	}
	if (!found)
		found = unpack(t, file, rank, max, state, e);
	if (found)
		found->users++;
	return found;
}

static void close_table(void *arg)
{
	struct symbol_table *t = arg;

	for (int i = 0; i < CACHED_FILES; i++)
		cached_symbols_release(t->cache[i]);
	free(t);
}

/* ---- rows ---- */

enum { BY_ID, BY_KEY, BY_FILE };

struct symbol_cursor {
	struct symbol_table *t;
	struct arena *a;
	int64_t *files, one;	/* the files to search; `one` if it is a single file */
	size_t nfiles, file;
	const char *key;	/* NULL with id 0 and no keys: every definition matches */
	const char **keys;	/* several keys, sorted; NULL with other searches */
	size_t nkeys, common;	/* the length of what all keys begin with */
	int64_t id;
	enum symbol_rank rank;
	struct cached_symbols *u;
	size_t row;		/* the place of the current row in its file */
	size_t place;		/* where the search for the next row begins */
	struct arena *text;	/* holds the row's key; NULL until it is needed */
	struct arena *scratch;	/* for the key of a name; NULL without `keys` */
};

static int read_files(struct db *db, enum symbol_rank rank, struct buf *ids, struct err *e)
{
	struct stmt *s = db_prep(db, symbols_statements(rank)->files, e);

	if (!s)
		return -1;
	for (;;) {
		int rc = db_step(s, e);
		if (rc != 1)
			return rc;
		int64_t id = db_int(s, 0);
		buf_put(ids, &id, sizeof id);
	}
}

static int all_files(struct symbol_cursor *r, struct err *e)
{
	struct buf ids = { 0 };
	int rc = read_files(r->t->db, r->rank, &ids, e);

	r->nfiles = ids.n / sizeof *r->files;
	r->files = arena_many(r->a, r->nfiles + 1, int64_t);
	if (ids.n)
		memcpy(r->files, ids.p, ids.n);
	buf_free(&ids);
	return rc;
}

static void close_rows(void *arg)
{
	struct symbol_cursor *r = arg;

	cached_symbols_release(r->u);
	arena_free(r->a);
	arena_free(r->text);
	arena_free(r->scratch);
	free(r);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Takes the keys, one on each line of the text. */
static void take_keys(struct symbol_cursor *r, const char *text)
{
	char *rest = arena_str(r->a, text_or_empty(text));
	size_t n = 1;

	for (const char *c = rest; *c; c++)
		n += *c == '\n';
	const char **keys = arena_many(r->a, n, const char *);
	while (rest)
		keys[r->nkeys++] = strsep(&rest, "\n");
	r->key = keys[0];
	if (n == 1)
		return;
	qsort(keys, n, sizeof *keys, by_text);
	while (keys[0][r->common] && keys[0][r->common] == keys[n - 1][r->common])
		r->common++;
	r->keys = keys;
	r->scratch = arena_new();
}

static int by_number(const void *a, const void *b)
{
	return compare_signed(*(const int64_t *)a, *(const int64_t *)b);
}

/* Finds the files that may define one of the keys, each once. */
static int find_key_files(struct symbol_cursor *r, const char *text, struct err *e)
{
	struct buf all = { 0 };
	int rc = 0;

	take_keys(r, text);
	for (size_t i = 0; !rc && i < r->nkeys; i++) {
		const char *key = r->keys ? r->keys[i] : r->key;
		int64_t *files;
		size_t n;
		rc = symbols_find_files(r->t->db, r->rank, key, r->a, &files, &n, e);
		if (!rc)
			buf_put(&all, files, n * sizeof *files);
	}
	size_t n = all.n / sizeof *r->files;
	r->files = arena_many(r->a, n + 1, int64_t);
	if (n)
		memcpy(r->files, all.p, all.n);
	buf_free(&all);
	if (r->keys)
		qsort(r->files, n, sizeof *r->files, by_number);
	for (size_t i = 0; i < n; i++)
		if (!i || r->files[i] != r->files[i - 1])
			r->files[r->nfiles++] = r->files[i];
	return rc;
}

static void *open_rows(void *arg, int key, const struct db_value *v, struct err *e)
{
	struct symbol_cursor *r = xcalloc(1, sizeof *r);
	int rc = 0;

	*r = (struct symbol_cursor){ .t = arg, .files = &r->one, .nfiles = 1, .one = v->number };
	r->rank = r->t->rank;
	if (key == BY_ID) {
		r->id = v->number;
		if (r->id & SYMBOL_MINOR)
			r->rank = SYMBOLS_MINOR;
		r->one = r->id >> SYMBOL_BITS;
	} else if (key != BY_FILE) {
		r->a = arena_new();
		r->nfiles = 0;
		if (key == BY_KEY)
			rc = find_key_files(r, v->text, e);
		else
			rc = all_files(r, e);
	}
	if (!rc)
		return r;
	close_rows(r);
	return NULL;
}

static int by_hash_and_place(const void *a, const void *b)
{
	const struct key_place *x = a, *y = b;

	if (x->hash != y->hash)
		return (x->hash > y->hash) - (x->hash < y->hash);
	return (x->place > y->place) - (x->place < y->place);
}

static void index_keys(struct cached_symbols *u)
{
	struct arena *a = arena_new();

	u->keys = arena_many(u->file.a, u->file.n + 1, struct key_place);
	for (size_t i = 0; i < u->file.n; i++) {
		const char *key = symbol_key(packed_symbols_name(&u->file, i), a);
		u->keys[i] = (struct key_place){ symbols_hash_key(key), (uint32_t)i };
		arena_reset(a);
	}
	qsort(u->keys, u->file.n, sizeof *u->keys, by_hash_and_place);
	arena_free(a);
}

/* Like find, by the index of keys. */
static size_t find_indexed(const struct symbol_cursor *r)
{
	const struct packed_symbols *s = &r->u->file;
	const struct key_place from = { symbols_hash_key(r->key), (uint32_t)r->place };
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (by_hash_and_place(&r->u->keys[middle], &from) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < s->n && r->u->keys[low].hash == from.hash; low++) {
		size_t place = r->u->keys[low].place;
		if (symbol_has_key(packed_symbols_name(s, place), r->key))
			return place;
	}
	return s->n;
}

/* Whether the name has one of the keys. Most names differ from all of them at the beginning. */
static bool has_one_key(const struct symbol_cursor *r, const char *name)
{
	if (!symbol_key_begins(name, r->keys[0], r->common))
		return false;
	arena_reset(r->scratch);
	const char *key = symbol_key(name, r->scratch);
	return bsearch(&key, r->keys, r->nkeys, sizeof *r->keys, by_text) != NULL;
}

/* The place of the next match, from r->place on; the number of definitions if there is none. */
static size_t find(const struct symbol_cursor *r)
{
	const struct packed_symbols *s = &r->u->file;
	size_t i = r->place;

	if (!r->key || i >= s->n)
		return i;
	while (r->keys && i < s->n && !has_one_key(r, packed_symbols_name(s, i)))
		i++;
	if (r->keys)
		return i;
	if (r->u->keys)
		return find_indexed(r);
	if (s->n == s->count && r->u->searches++ > SCANS) {
		index_keys(r->u);
		return find_indexed(r);
	}
	while (i < s->n && !symbol_has_key(packed_symbols_name(s, i), r->key))
		i++;
	return i;
}

/*
 * The place of the id, from `i` on; the number of definitions if it is not there.  `e` is set if
 * the file is damaged.
 */
static size_t find_id(struct symbol_cursor *r, size_t i, struct err *e)
{
	struct packed_symbols *s = &r->u->file;

	for (; i < s->n; i++) {
		const struct stored_symbol *x = packed_symbols_get(s, i, e);
		if (!x)
			return s->n;
		if (x->id == r->id)
			return i;
	}
	return i;
}

static int load_file(struct symbol_cursor *r, int64_t file, size_t needed, struct err *e)
{
	r->u = cached_symbols_of(r->t, file, r->rank, needed, e);
	if (r->u)
		return 0;
	return -1;
}

/* Load the next file.  For an id, only up to the place where the id most likely is. */
static int next_file(struct symbol_cursor *r, struct err *e)
{
	int64_t file = r->files[r->file++];
	size_t number = (size_t)(symbol_number(r->id) & ~SYMBOL_MINOR), likely = 0;

	r->place = 0;
	if (!r->id)
		return load_file(r, file, SIZE_MAX, e);
	if (load_file(r, file, number, e))
		return -1;
	if (number)
		likely = number - 1;
	r->place = find_id(r, likely, e);
	if (r->place < r->u->file.n)
		return 0;
	cached_symbols_release(r->u);
	if (load_file(r, file, SIZE_MAX, e))
		return -1;
	r->place = find_id(r, 0, e);
	return e->code ? -1 : 0;
}

/* Move to the next match of the loaded file: 1, 0 if there is none, or -1. */
static int next_match(struct symbol_cursor *r, struct err *e)
{
	size_t i = find(r);

	if (i >= r->u->file.n)
		return 0;
	r->row = i;
	if (r->id)
		r->place = r->u->file.n;
	else
		r->place = i + 1;
	if (packed_symbols_qualify(&r->u->file, i, e))
		return -1;
	return 1;
}

static int next_row(void *arg, struct err *e)
{
	struct symbol_cursor *r = arg;

	for (;;) {
		int rc = 0;
		if (r->u)
			rc = next_match(r, e);
		if (rc)
			return rc;
		cached_symbols_release(r->u);
		r->u = NULL;
		if (r->file == r->nfiles)
			return 0;
		if (next_file(r, e))
			return -1;
	}
}

/* ---- columns ---- */

/* OPTIONAL: SQL null if it is 0 */
enum symbol_column_type { NUMBER, OPTIONAL, TEXT, DOC, FILE_ID, PLACE, KEY };

static const struct column {
	enum symbol_column_type is;
	size_t off;
} columns[] = {
#define C(is, field) { is, offsetof(struct stored_symbol, field) }
	C(NUMBER, id),
	{ KEY, 0 },
	{ FILE_ID, 0 },
	C(TEXT, name),
	C(TEXT, qualified),
	C(TEXT, kind),
	C(TEXT, signature),
	{ DOC, 0 },
	C(NUMBER, start_line),
	C(NUMBER, end_line),
	C(NUMBER, start_byte),
	C(NUMBER, end_byte),
	C(OPTIONAL, parent),
	C(NUMBER, exported),
	C(NUMBER, test),
	C(NUMBER, ordinal),
	{ PLACE, 0 },
};

/* The doc comment of the row; NULL also if the docs are damaged, so that the rest is returned. */
static const char *doc_of(struct symbol_cursor *r)
{
	struct err ignored = { 0 };

	if (r->rank == SYMBOLS_MINOR)
		return NULL;
	if (!r->u->file.docs)
		packed_symbols_load_docs(r->t->db, &r->u->file, &ignored);
	return r->u->file.docs[r->row];
}

static const char *key_of(struct symbol_cursor *r, const char *name)
{
	if (!r->text)
		r->text = arena_new();
	arena_reset(r->text);
	return symbol_key(name, r->text);
}

static void put_column(void *arg, int i, struct db_value *out)
{
	struct symbol_cursor *r = arg;
	const struct column *c = &columns[i];
	const struct stored_symbol *x = r->u->file.v[r->row];
	const void *at = (const char *)x + c->off;

	switch (c->is) {
	case NUMBER:
		out->number = *(const int64_t *)at;
		break;
	case OPTIONAL:
		out->number = *(const int64_t *)at;
		out->null = !out->number;
		break;
	case TEXT:
		out->text = *(const char *const *)at;
		out->null = !out->text;
		break;
	case DOC:
		out->text = doc_of(r);
		out->null = !out->text;
		break;
	case FILE_ID: out->number = r->u->file.file; break;
	case PLACE: out->number = (int64_t)r->row; break;
	case KEY: out->text = key_of(r, x->name); break;
	}
}

#define TABLE(table)                                                                                \
	{                                                                                              \
		.name = table,                                                                             \
		.columns = "id, key, file, name, qualified, kind, signature, doc, start_line, end_line,"   \
		           " start_byte, end_byte, parent, exported, test, ordinal, place",                \
		.keys = BY_FILE + 1,                                                                       \
		.open = open_rows,                                                                         \
		.next = next_row,                                                                          \
		.column = put_column,                                                                      \
		.close = close_rows,                                                                       \
	}

int symbols_register_table(struct db *db, struct err *e)
{
	static const struct db_table tables[] = {
		[SYMBOLS_MAJOR] = TABLE("symbols"),
		[SYMBOLS_MINOR] = TABLE("minor_symbols"),
	};

	for (enum symbol_rank rank = SYMBOLS_MAJOR; rank < LEN(tables); rank++) {
		struct symbol_table *t = xcalloc(1, sizeof *t);
		t->db = db;
		t->rank = rank;
		if (db_add_table(db, &tables[rank], t, close_table, e))
			return -1;
	}
	return 0;
}
