#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/storage/symbol_store_internal.h"

/*
 * The table `symbols` for statements.  The definitions of a few files are kept, since many rows
 * are asked of one.
 */

enum { CACHED_FILES = 8 };

struct cached_symbols {
	struct packed_symbols file;
	uint64_t state;		/* of the db when it was read */
	int users;
};

struct symbol_table {
	struct db *db;
	struct cached_symbols *cache[CACHED_FILES];
	unsigned next;
};

static void cached_symbols_release(struct cached_symbols *u)
{
	if (!u || --u->users)
		return;
	arena_free(u->file.a);
	free(u);
}

/* One that nobody uses, its memory included. */
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

static struct cached_symbols *unpack(
    struct symbol_table *t, int64_t file, size_t most, uint64_t state, struct err *e)
{
	struct cached_symbols *u = cache_slot_reset(&t->cache[t->next++ % CACHED_FILES]);

	if (packed_symbols_read(t->db, file, most, u->file.a, &u->file, e)) {
		u->file.file = 0;
		return NULL;
	}
	u->state = state;
	return u;
}

/* At least the first `most` of a file; the caller lets go of it.  NULL with `e`. */
static struct cached_symbols *cached_symbols_of(
    struct symbol_table *t, int64_t file, size_t most, struct err *e)
{
	uint64_t state = db_data_version(t->db);
	struct cached_symbols *found = NULL;
	bool again = false;

	for (int i = 0; i < CACHED_FILES && !found; i++) {
		struct cached_symbols *u = t->cache[i];
		if (!u || !u->file.file || u->file.file != file || u->state != state)
			continue;
		again = true;	/* whoever asks twice asks for more */
		if (u->file.n == u->file.count || u->file.n >= most)
			found = u;
	}
	if (!found)
		found = unpack(t, file, again ? SIZE_MAX : most, state, e);
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
	int64_t *files, one;	/* that are looked through */
	size_t nfiles, file;
	const char *key;	/* NULL, and id 0: all of a file */
	int64_t id;
	struct cached_symbols *u;
	size_t row;		/* its place in its file */
	size_t place;		/* from where on it is looked for the next */
	struct arena *text;	/* of the row's key; NULL: not asked for yet */
};

static int all_files(struct symbol_cursor *r, struct err *e)
{
	struct stmt *s = db_prep(r->t->db, "select file from definitions order by file", e);
	struct buf ids = { 0 };
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		int64_t id = db_int(s, 0);
		buf_put(&ids, &id, sizeof id);
		rc = 0;
	}
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
	free(r);
}

static void *open_rows(void *arg, int key, const struct db_value *v, struct err *e)
{
	struct symbol_cursor *r = xcalloc(1, sizeof *r);
	int rc = 0;

	*r = (struct symbol_cursor){ .t = arg, .files = &r->one, .nfiles = 1, .one = v->number };
	if (key == BY_ID) {
		r->id = v->number;
		r->one = r->id >> SYMBOL_BITS;
	} else if (key != BY_FILE) {
		r->a = arena_new();
		if (key == BY_KEY)
			r->key = arena_str(r->a, v->text ? v->text : "");
		else
			r->key = NULL;
		if (r->key)
			rc = symbols_find_files(r->t->db, r->key, r->a, &r->files, &r->nfiles, e);
		else
			rc = all_files(r, e);
	}
	if (!rc)
		return r;
	close_rows(r);
	return NULL;
}

/* The first that is asked for, from r->place on; n: none. */
static size_t find(const struct symbol_cursor *r)
{
	const struct packed_symbols *s = &r->u->file;
	size_t i = r->place;

	while (r->key && i < s->n && !symbol_has_key(packed_symbols_name(s, i), r->key))
		i++;
	return i;
}

/* The place of the id from `i` on; n: it is not there, or damaged. */
static size_t find_id(struct symbol_cursor *r, size_t i, struct err *e)
{
	struct packed_symbols *s = &r->u->file;

	for (const struct stored_symbol *x; i < s->n; i++)
		if (!(x = packed_symbols_get(s, i, e)) || x->id == r->id)
			return x ? i : s->n;
	return i;
}

/*
 * The definitions of the next file.  Of one by its id those up to the place where it most likely
 * stands.
 */
static int next_file(struct symbol_cursor *r, struct err *e)
{
	int64_t file = r->files[r->file++], own = symbol_number(r->id);

	r->place = 0;
	r->u = cached_symbols_of(r->t, file, r->id ? (size_t)own : SIZE_MAX, e);
	if (!r->u || !r->id)
		return r->u ? 0 : -1;
	r->place = find_id(r, own ? (size_t)own - 1 : 0, e);
	if (r->place < r->u->file.n)
		return 0;
	cached_symbols_release(r->u);
	if (!(r->u = cached_symbols_of(r->t, file, SIZE_MAX, e)))
		return -1;
	r->place = find_id(r, 0, e);
	return e->code ? -1 : 0;
}

static int next_row(void *arg, struct err *e)
{
	struct symbol_cursor *r = arg;

	for (;;) {
		size_t i = r->u ? find(r) : 0;
		if (r->u && i < r->u->file.n) {
			r->row = i;
			if (r->id)
				r->place = r->u->file.n;
			else
				r->place = i + 1;
			if (packed_symbols_qualify(&r->u->file, i, e))
				return -1;
			return 1;
		}
		cached_symbols_release(r->u);
		r->u = NULL;
		if (r->file == r->nfiles)
			return 0;
		if (next_file(r, e))
			return -1;
	}
}

/* ---- columns ---- */

/* OPTIONAL: null when it is 0 */
enum symbol_column_type { NUMBER, OPTIONAL, TEXT, DOC, FILE_ID, PLACE, KEY };

static const struct column {
	enum symbol_column_type is;
	size_t off;
} columns[] = {
#define C(is, field) { is, offsetof(struct stored_symbol, field) }
	C(NUMBER, id), { KEY, 0 }, { FILE_ID, 0 }, C(TEXT, name), C(TEXT, qualified), C(TEXT, kind),
	    C(TEXT, signature),
	{ DOC, 0 }, C(NUMBER, start_line), C(NUMBER, end_line), C(NUMBER, start_byte),
	    C(NUMBER, end_byte), C(OPTIONAL, parent),
	C(NUMBER, exported), C(NUMBER, test), C(NUMBER, ordinal), { PLACE, 0 },
};

/* What cannot be read is not there: a definition is answered without its doc comment then. */
static const char *doc_of(struct symbol_cursor *r)
{
	struct err ignored = { 0 };

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
	bool text = c->is == TEXT || c->is == DOC;

	if (text) {
		if (c->is == DOC)
			out->text = doc_of(r);
		else
			out->text = *(const char *const *)at;
	} else if (c->is == KEY)
		out->text = key_of(r, x->name);
	else {
		if (c->is == FILE_ID)
			out->number = r->u->file.file;
		else if (c->is == PLACE)
			out->number = (int64_t)r->row;
		else
			out->number = *(const int64_t *)at;
	}
	if (text)
		out->null = !out->text;
	else
		out->null = c->is == OPTIONAL && !out->number;
}

int symbols_register_table(struct db *db, struct err *e)
{
	static const struct db_table table = {
		"symbols", "id, key, file, name, qualified, kind, signature, doc, start_line, end_line, start_byte, end_byte, parent,"
		" exported, test, ordinal, place", BY_FILE + 1, open_rows, next_row, put_column, close_rows,
	};
	struct symbol_table *t = xcalloc(1, sizeof *t);

	t->db = db;
	return db_add_table(db, &table, t, close_table, e);
}
