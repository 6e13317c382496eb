#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/text/symbol.h"
#include "shard/symbol_store_own.h"

/* The table `symbols` for statements.  The definitions of a few files are kept, since many rows are asked of one. */

enum { KEPT = 8 };

/* The definitions of a file. */
struct unpacked {
	struct arena *a;
	int64_t file;
	uint64_t state;		/* of the db when they were read */
	struct stored_symbols symbols;
	bool told;		/* with signatures and doc comments */
	int users;
};

struct symbols {
	struct db *db;
	struct unpacked *kept[KEPT];
	unsigned next;
};

static void let_go(struct unpacked *u)
{
	if (!u || --u->users)
		return;
	arena_free(u->a);
	free(u);
}

static struct unpacked *unpack(struct symbols *t, int64_t file, uint64_t state, struct err *e)
{
	struct unpacked *u = calloc(1, sizeof *u), **at = &t->kept[t->next++ % KEPT];

	if (!u)
		abort();
	*u = (struct unpacked){ .a = arena_new(), .file = file, .state = state, .users = 1 };
	if (symbols_of(t->db, file, u->a, &u->symbols, e)) {
		let_go(u);
		return NULL;
	}
	let_go(*at);
	return *at = u;
}

/* The caller lets go of it.  NULL with `e`. */
static struct unpacked *file_symbols(struct symbols *t, int64_t file, struct err *e)
{
	uint64_t state = db_state(t->db);
	struct unpacked *found = NULL;

	for (int i = 0; i < KEPT && !found; i++)
		if (t->kept[i] && t->kept[i]->file == file && t->kept[i]->state == state)
			found = t->kept[i];
	found = found ? found : unpack(t, file, state, e);
	if (found)
		found->users++;
	return found;
}

static void close_table(void *arg)
{
	struct symbols *t = arg;

	for (int i = 0; i < KEPT; i++)
		let_go(t->kept[i]);
	free(t);
}

/* ---- rows ---- */

enum { BY_ID, BY_KEY, BY_FILE };

struct rows {
	struct symbols *t;
	struct arena *a;
	int64_t *files;		/* that are looked through */
	size_t nfiles, file;
	const char *key;	/* NULL, and id 0: all of a file */
	int64_t id;
	struct unpacked *u;
	const struct stored_symbol *row;
	size_t place;		/* from where on it is looked for the next */
	struct arena *text;	/* of the row's key */
};

static int all_files(struct rows *r, struct err *e)
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

static void one_file(struct rows *r, int64_t file)
{
	r->files = arena_one(r->a, int64_t);
	*r->files = file;
	r->nfiles = 1;
}

static void close_rows(void *arg)
{
	struct rows *r = arg;

	let_go(r->u);
	arena_free(r->a);
	arena_free(r->text);
	free(r);
}

static void *open_rows(void *arg, int key, const struct db_value *v, struct err *e)
{
	struct rows *r = calloc(1, sizeof *r);
	int rc = 0;

	if (!r)
		abort();
	*r = (struct rows){ .t = arg, .a = arena_new(), .text = arena_new() };
	if (key == BY_ID) {
		r->id = v->number;
		one_file(r, r->id >> SYMBOL_BITS);
	} else if (key == BY_KEY) {
		r->key = arena_str(r->a, v->text ? v->text : "");
		rc = symbols_named(r->t->db, r->key, r->a, &r->files, &r->nfiles, e);
	} else if (key == BY_FILE)
		one_file(r, v->number);
	else
		rc = all_files(r, e);
	if (!rc)
		return r;
	close_rows(r);
	return NULL;
}

/* The place of the first one that is asked for, from r->place on. */
static size_t find(const struct rows *r)
{
	const struct stored_symbols *s = &r->u->symbols;
	size_t i = r->place, own = (size_t)symbol_number(r->id) - 1;

	if (r->id && own < s->n && own >= i && s->v[own].id == r->id)	/* most are at the place that their number says */
		return own;
	while (i < s->n && (r->key ? !symbol_has_key(s->v[i].name, r->key) : r->id && s->v[i].id != r->id))
		i++;
	return i;
}

static int next_row(void *arg, struct err *e)
{
	struct rows *r = arg;

	for (;;) {
		size_t i = r->u ? find(r) : 0;
		if (r->u && i < r->u->symbols.n) {
			r->row = &r->u->symbols.v[i];
			r->place = r->id ? r->u->symbols.n : i + 1;
			return 1;
		}
		let_go(r->u);
		r->u = NULL;
		r->place = 0;
		if (r->file == r->nfiles)
			return 0;
		if (!(r->u = file_symbols(r->t, r->files[r->file++], e)))
			return -1;
	}
}

/* ---- columns ---- */

enum is { NUMBER, OPTIONAL, TEXT, TOLD, FILE_ID, PLACE, KEY };	/* OPTIONAL: null when it is 0 */

static const struct column {
	enum is is;
	size_t off;
} columns[] = {
#define C(is, field) { is, offsetof(struct stored_symbol, field) }
	C(NUMBER, id), { KEY, 0 }, { FILE_ID, 0 }, C(TEXT, name), C(TEXT, qualified), C(TEXT, kind), C(TOLD, signature),
	C(TOLD, doc), C(NUMBER, start_line), C(NUMBER, end_line), C(NUMBER, start_byte), C(NUMBER, end_byte), C(OPTIONAL, parent),
	C(NUMBER, exported), C(NUMBER, test), C(NUMBER, ordinal), { PLACE, 0 },
};

/* What cannot be read is not there: a definition is answered without its doc comment then. */
static void tell(struct rows *r)
{
	struct unpacked *u = r->u;
	struct err ignored = { 0 };

	if (!u->told)
		symbols_tell(r->t->db, u->file, u->a, &u->symbols, &ignored);
	u->told = true;
}

static const char *text_at(const struct rows *r, const struct column *c)
{
	return *(const char *const *)(const void *)((const char *)r->row + c->off);
}

static void put_column(void *arg, int i, struct db_value *out)
{
	struct rows *r = arg;
	const struct column *c = &columns[i];
	bool text = c->is == TEXT || c->is == TOLD;

	if (c->is == TOLD)
		tell(r);
	if (c->is == KEY) {
		arena_reset(r->text);
		out->text = symbol_key(r->row->name, r->text);
	} else if (text)
		out->text = text_at(r, c);
	else if (c->is == FILE_ID)
		out->number = r->u->file;
	else if (c->is == PLACE)
		out->number = r->row - r->u->symbols.v;
	else
		out->number = *(const int64_t *)(const void *)((const char *)r->row + c->off);
	out->null = text ? !out->text : c->is == OPTIONAL && !out->number;
}

int symbols_open(struct db *db, struct err *e)
{
	static const struct db_table table = {
		"symbols", "id, key, file, name, qualified, kind, signature, doc, start_line, end_line, start_byte, end_byte, parent,"
		" exported, test, ordinal, place", BY_FILE + 1, open_rows, next_row, put_column, close_rows,
	};
	struct symbols *t = calloc(1, sizeof *t);

	if (!t)
		abort();
	t->db = db;
	return db_add_table(db, &table, t, close_table, e);
}
