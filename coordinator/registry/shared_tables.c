#include "coordinator/registry/shared_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/db/db.h"
#include "proto/db/db_changes.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "coordinator/registry/shared_tables_internal.h"

enum { UNIQUES = 2 };

static const struct shared_table_def {
	const char *name, *rowid, *keys, *columns, *rows;
	enum shared_table_class table_class;
} rows[] = {
#define SHARED(name, rowid, keys, columns, where, class) \
	{ #name, rowid, keys, columns, where, class },
#define PARENT(child, columns, parent)
#define UNIQUE(table, name, value, where)
#include "coordinator/registry/shared_tables.def"
};

static const struct { const char *child, *column, *parent; } parents[] = {
#define SHARED(...)
#define PARENT(child, column, parent) { #child, column, #parent },
#define UNIQUE(...)
#include "coordinator/registry/shared_tables.def"
};

static const struct { const char *table, *name, *value, *where; } uniques[] = {
#define SHARED(...)
#define PARENT(...)
#define UNIQUE(table, name, value, where) { #table, #name, value, where },
#include "coordinator/registry/shared_tables.def"
};

/* ---- statements ---- */

/* The word at the start of a list, or NULL at its end. */
static const char *first_word(const char *words, struct arena *a)
{
	if (!*words)
		return NULL;
	return arena_strn(a, words, strcspn(words, " "));
}

/* The rest of a list after its first word. */
static const char *next_words(const char *words)
{
	words += strcspn(words, " ");
	return words + strspn(words, " ");
}

/* Writes each word of a list in the form `fmt`, where @ is the word, with `sep` in between. */
static const char *each(const char *words, const char *fmt, const char *sep, struct arena *a)
{
	struct buf b = { 0 };

	buf_str(&b, "");
	for (const char *s = words; *s; s = next_words(s)) {
		const char *w = first_word(s, a);
		if (b.n)
			buf_str(&b, sep);
		for (const char *f = fmt; *f; f++)
			if (*f == '@')
				buf_str(&b, w);
			else
				buf_byte(&b, *f);
	}
	const char *out = arena_str(a, b.p);
	buf_free(&b);
	return out;
}

static void make_statements(
    struct shared_table *t, const struct shared_table_def *r, struct arena *a)
{
	const char *all_columns = arena_printf(a, "%s %s", r->keys, r->columns);
	const char *keys = each(r->keys, "@", ", ", a);
	const char *has_keys = each(r->keys, "@ = ?", " and ", a);

	t->all = arena_printf(a, "select json_object(%s), %s from %s where %s",
	    each(all_columns, "'@', @", ", ", a), keys, r->name, r->rows);
	t->sorted = arena_printf(a, "%s order by %s", t->all, keys);
	t->by_key = arena_printf(a, "%s and %s", t->all, has_keys);
	t->by_rowid = arena_printf(a, "select 0, %s from %s where %s = ?", keys, r->name, r->rowid);
	t->put = arena_printf(a, "insert into %s (%s) select %s where true on conflict (%s) do %s%s",
	    r->name, each(all_columns, "@", ", ", a),
	    each(all_columns, "json_extract(?1, '$.@')", ", ", a), keys,
	    *r->columns ? "update set " : "nothing", each(r->columns, "@ = excluded.@", ", ", a));
	t->drop = arena_printf(a, "delete from %s where %s", r->name, has_keys);
}

static bool has_word(const char *words, const char *w)
{
	size_t n = strlen(w);

	for (const char *s = words; *s; s = next_words(s))
		if (strcspn(s, " ") == n && !strncmp(s, w, n))
			return true;
	return false;
}

/* Notes the position of a column, if it is the rowid, a key or shared.  Returns 1 for a key. */
static size_t note_column(
    struct shared_table *t, const struct shared_table_def *r, const char *name, size_t at)
{
	size_t found = 0;

	if (at >= sizeof t->column)
		return 0;
	t->column[at] = has_word(r->columns, name);
	if (!strcmp(r->rowid, name))
		t->rowid_at = (int)at;
	for (size_t i = 0; i < t->nkeys; i++)
		if (!strcmp(t->keys[i], name)) {
			t->at[i] = (int)at;
			found++;
		}
	return found;
}

static int find_columns(struct shared_table *t, const struct shared_table_def *r, struct db *db,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select cid, name from pragma_table_info(?)", e);
	size_t found = 0;
	int rc;

	for (const char *k = r->keys; *k; k = next_words(k))
		t->keys[t->nkeys++] = first_word(k, a);
	if (!s || db_bind(s, "s", r->name))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		found += note_column(t, r, db_str(s, 1), (size_t)db_int(s, 0));
	if (rc)
		return -1;
	if (found == t->nkeys)
		return 0;
	return err_set(
	    e, ERR_INTERNAL, "shared_tables.def: the table %s has other key columns", r->name);
}

int shared_tables_open(struct shared_tables *sh, struct db *db, struct arena *a, struct err *e)
{
	sh->n = LEN(rows);
	sh->v = arena_many(a, sh->n, struct shared_table);
	sh->names = arena_many(a, sh->n, const char *);
	for (size_t i = 0; i < sh->n; i++) {
		struct shared_table *t = &sh->v[i];
		*t = (struct shared_table){
			.name = rows[i].name,
			.rowid = rows[i].rowid,
			.rows = rows[i].rows,
			.table_class = rows[i].table_class,
		};
		sh->names[i] = t->name;
		make_statements(t, &rows[i], a);
		if (find_columns(t, &rows[i], db, a, e))
			return -1;
	}
	for (size_t i = 0; i < LEN(uniques); i++) {
		struct shared_table *t = shared_table(sh, uniques[i].table);
		size_t k = t->unique[0] != NULL;
		t->unique_name[k] = arena_printf(a, "%s.%s", t->name, uniques[i].name);
		t->unique[k] = arena_printf(a, "select %s, 0 from %s where %s and %s", uniques[i].value,
		    t->name, uniques[i].where, each(rows[t - sh->v].keys, "@ = ?", " and ", a));
	}
	return db_exec(db,
	    "create temp table if not exists revs (key text primary key, rev integer not null,"
	    " live integer not null, owner text) without rowid;"
	    " create index if not exists temp.revs_by_owner on revs (owner) where owner is not null",
	    e);
}

/* ---- keys ---- */

struct shared_table *shared_table(const struct shared_tables *sh, const char *name)
{
	for (size_t i = 0; i < sh->n; i++)
		if (!strcmp(sh->v[i].name, name))
			return &sh->v[i];
	return NULL;
}

static void put_part(struct buf *b, const char *s)
{
	for (; *s; s++)
		if (*s == '%' || *s == '/')
			buf_printf(b, "%%%02X", (unsigned char)*s);
		else
			buf_byte(b, *s);
}

const char *shared_key(const char *table, const char *const *parts, size_t n, struct arena *a)
{
	struct buf b = { 0 };

	buf_str(&b, table);
	for (size_t i = 0; i < n; i++) {
		buf_byte(&b, '/');
		put_part(&b, parts[i]);
	}
	const char *out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* The inverse of put_part: %25 and %2F become % and /. */
static const char *read_part(const char *s, size_t len, struct arena *a)
{
	char *out = arena_strn(a, s, len), *to = out;

	for (size_t i = 0; i < len;) {
		if (i + 2 < len && !strncmp(s + i, "%25", 3)) {
			*to++ = '%';
			i += 3;
		} else if (i + 2 < len && !strncmp(s + i, "%2F", 3)) {
			*to++ = '/';
			i += 3;
		} else {
			*to++ = s[i++];
		}
	}
	*to = 0;
	return out;
}

size_t shared_key_split(const char *key, const char *parts[SHARED_PARTS], struct arena *a)
{
	size_t n = 0;

	while (n < SHARED_PARTS) {
		size_t len = strcspn(key, "/");
		parts[n++] = read_part(key, len, a);
		if (!key[len])
			break;
		key += len + 1;
	}
	return n;
}

int shared_key_bind(struct stmt *s, const char *const *parts, size_t n)
{
	const char *v[3] = { 0 };

	for (size_t i = 0; i < n && i < LEN(v); i++)
		v[i] = parts[i];
	return db_bind(s, &"sss"[LEN(v) - n], v[0], v[1], v[2]);
}

/* ---- rows that a transaction has changed ---- */

struct change_collector {
	const struct shared_tables *sh;
	struct db *db;
	struct arena *a;
	struct map *keys;		/* struct changed_row */
};

struct changed_row {
	const struct shared_table *t;
	const char *parts[SHARED_PARTS];	/* its key columns */
	const char *key, *value;
};

/* The key columns of a row that is identified by its rowid. */
static int by_rowid(struct change_collector *c, const struct shared_table *t, int64_t rowid,
    const char **parts, struct err *e)
{
	struct stmt *s = db_prep(c->db, t->by_rowid, e);
	int rc;

	if (!s || db_bind(s, "i", rowid))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		for (size_t i = 0; i < t->nkeys; i++)
			parts[i] = arena_str(c->a, db_str(s, (int)i + 1));
	return rc;
}

static bool is_shared_change(const struct shared_table *t, const struct db_row *row)
{
	if (db_row_change(row) != DB_ROW_UPDATED)
		return true;
	for (int i = 0; i < (int)sizeof t->column; i++)
		if (t->column[i] && db_row_column_changed(row, i))
			return true;
	return false;
}

static int note_row(void *arg, const struct db_row *row, struct err *e)
{
	struct change_collector *c = arg;
	const struct shared_table *t = shared_table(c->sh, db_row_table(row));
	const char *parts[SHARED_PARTS] = { 0 };

	if (!t || !is_shared_change(t, row))
		return 0;
	if (db_row_change(row) == DB_ROW_UPDATED && *t->rowid) {
		if (by_rowid(c, t, db_row_int(row, t->rowid_at), parts, e))
			return -1;
	} else {
		for (size_t i = 0; i < t->nkeys; i++)
			parts[i] = arena_str(c->a, db_row_str(row, t->at[i]));
	}
	const char *key = shared_key(t->name, parts, t->nkeys, c->a);
	void **at = map_at(c->keys, key);
	if (*at)
		return 0;
	struct changed_row *x = *at = arena_one(c->a, struct changed_row);
	x->t = t;
	x->key = key;
	memcpy(x->parts, parts, sizeof parts);
	return 0;
}

int shared_row_json(struct db *db, const struct shared_table *t, const char *const *parts,
    const char **value, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, t->by_key, e);
	int rc;

	*value = NULL;
	if (!s || shared_key_bind(s, parts, t->nkeys))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*value = arena_str(a, db_str(s, 0));
	return rc;
}

int shared_revision_get(struct db *db, const char *key, int64_t *rev, bool *live, struct err *e)
{
	struct stmt *s = db_prep(db, "select rev, live from revs where key = ?", e);
	int rc;

	*rev = 0;
	*live = false;
	if (!s || db_bind(s, "s", key))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		*rev = db_int(s, 0);
		*live = db_int(s, 1);
	}
	return rc;
}

/* ---- the etcd transaction ---- */

struct txn_builder {
	struct change_collector *c;
	size_t nops, nguards, ops_cap, guards_cap;
	struct etcd_kv *ops;
	struct etcd_guard *guards;
	struct map *op_of;		/* key -> index of its op, plus 1 */
};

/* Of two operations on one key the later one wins, but a put wins over a deletion. */
static int add_op(struct txn_builder *m, const char *key, const char *value, struct err *e)
{
	void **at = map_at(m->op_of, key);
	int64_t rev;
	bool live;

	if (*at) {
		struct etcd_kv *op = &m->ops[(size_t)*at - 1];
		if (value)
			op->value = value;
		return 0;
	}
	if (shared_revision_get(m->c->db, key, &rev, &live, e))
		return -1;
	if (!value && !live)
		return 0;
	if (!live)
		rev = 0;
	m->ops = grow(m->ops, &m->ops_cap, m->nops + 1, sizeof *m->ops);
	m->ops[m->nops++] = (struct etcd_kv){ key, value, rev };
	*at = (void *)m->nops;
	return 0;
}

static void add_guard(struct txn_builder *m, int what, const char *key, int64_t rev)
{
	for (size_t i = 0; i < m->nguards; i++)
		if ((int)m->guards[i].what == what && !strcmp(m->guards[i].key, key))
			return;
	m->guards = grow(m->guards, &m->guards_cap, m->nguards + 1, sizeof *m->guards);
	m->guards[m->nguards++] = (struct etcd_guard){ .what = what, .key = key, .rev = rev };
}

/* The unique key that the row claims now; NULL if it claims none. */
static int get_claim(struct change_collector *c, const struct changed_row *x, size_t k,
    const char **claim, struct err *e)
{
	struct stmt *s = db_prep(c->db, x->t->unique[k], e);
	int rc;

	*claim = NULL;
	if (!s || shared_key_bind(s, x->parts, x->t->nkeys))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		const char *parts[] = { x->t->unique_name[k], arena_str(c->a, db_str(s, 0)) };
		*claim = shared_key("unique", parts, LEN(parts), c->a);
	}
	return rc;
}

/* The unique keys that the row holds in etcd. */
static int get_held_claims(struct change_collector *c, const struct changed_row *x, size_t k,
    const char **held, size_t max, size_t *n, struct err *e)
{
	struct stmt *s = db_prep(c->db,
	    "select key from revs where owner = ? and live and substr(key, 1, length(?)) = ?", e);
	const char *prefix = arena_printf(c->a, "unique/%s/", x->t->unique_name[k]);
	int rc;

	*n = 0;
	if (!s || db_bind(s, "sss", x->key, prefix, prefix))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		if (*n < max)
			held[(*n)++] = arena_str(c->a, db_str(s, 0));
	return rc;
}

/* Releases the unique keys that the row no longer claims, and takes the one that it claims now. */
static int add_unique(struct txn_builder *m, const struct changed_row *x, size_t k, struct err *e)
{
	const char *claim, *held[8];
	size_t n;

	if (get_claim(m->c, x, k, &claim, e))
		return -1;
	if (get_held_claims(m->c, x, k, held, LEN(held), &n, e))
		return -1;
	bool holds = false;
	for (size_t i = 0; i < n; i++) {
		if (claim && !strcmp(claim, held[i]))
			holds = true;
		else if (add_op(m, held[i], NULL, e))
			return -1;
	}
	if (claim && !holds)
		return add_op(m, claim, x->key, e);
	return 0;
}

/* A new row needs its parents, unless the transaction creates them, too. */
static void add_parents_exist(
    struct txn_builder *m, const struct changed_row *x, const char *column, const char *parent)
{
	for (size_t k = 0; k < x->t->nkeys; k++) {
		if (strcmp(x->t->keys[k], column))
			continue;
		const char *key = shared_key(parent, &x->parts[k], 1, m->c->a);
		if (!map_get(m->c->keys, key))
			add_guard(m, ETCD_EXISTS, key, 0);
	}
}

/* A child exists only with its parents; a parent is deleted only with all of its children. */
static void add_parent_guards(
    struct txn_builder *m, const struct changed_row *x, int64_t seen, bool fresh)
{
	for (size_t i = 0; i < LEN(parents); i++) {
		const char *child = parents[i].child, *parent = parents[i].parent;
		if (x->value && fresh && !strcmp(child, x->t->name))
			add_parents_exist(m, x, parents[i].column, parent);
		if (!x->value && !strcmp(parent, x->t->name))
			add_guard(m, ETCD_NONE_AFTER, arena_printf(m->c->a, "%s/", child), seen);
	}
}

static int build_txn(struct txn_builder *m, int64_t seen, struct err *e)
{
	struct change_collector *c = m->c;

	for (size_t i = 0; i < map_len(c->keys); i++) {
		struct changed_row *x = map_val(c->keys, i);
		size_t before = m->nops;
		if (shared_row_json(c->db, x->t, x->parts, &x->value, c->a, e) ||
		    add_op(m, x->key, x->value, e))
			return -1;
		if (m->nops > before)
			add_parent_guards(m, x, seen, !m->ops[before].rev);
		for (size_t k = 0; k < UNIQUES && x->t->unique[k]; k++)
			if (add_unique(m, x, k, e))
				return -1;
	}
	return 0;
}

/*
 * Parents are written before their children and deleted after them, in case the operations do not
 * fit into one transaction.
 */
static size_t rank(const struct shared_tables *sh, const struct etcd_kv *op)
{
	size_t i = 0, n = strcspn(op->key, "/");

	while (i < sh->n && (strncmp(sh->v[i].name, op->key, n) || sh->v[i].name[n]))
		i++;
	if (op->value)
		return i;
	return 2 * sh->n - i;
}

static void order(const struct shared_tables *sh, struct etcd_kv *v, size_t n)
{
	struct etcd_kv *w = xmalloc((n + 1) * sizeof *w);
	size_t k = 0;

	for (size_t r = 0; r <= 2 * sh->n && k < n; r++)
		for (size_t i = 0; i < n; i++)
			if (rank(sh, &v[i]) == r)
				w[k++] = v[i];
	memcpy(v, w, n * sizeof *v);
	free(w);
}

int shared_tables_collect(const struct shared_tables *sh, struct db *db, struct db_changes *changes,
    int64_t seen, struct shared_txn *out, struct arena *a, struct err *e)
{
	struct change_collector c = { sh, db, a, map_new() };
	struct txn_builder m = { .c = &c, .op_of = map_new() };

	*out = (struct shared_txn){ 0 };
	int rc = db_changes_each(changes, note_row, &c, e);
	if (!rc)
		rc = build_txn(&m, seen, e);
	if (!rc && m.nops) {
		order(sh, m.ops, m.nops);
		out->ops = memcpy(arena_many(a, m.nops, struct etcd_kv), m.ops, m.nops * sizeof *m.ops);
		out->nops = m.nops;
		out->guards = arena_many(a, m.nguards + 1, struct etcd_guard);
		if (m.nguards)
			memcpy(out->guards, m.guards, m.nguards * sizeof *m.guards);
		out->nguards = m.nguards;
	}
	free(m.ops);
	free(m.guards);
	map_free(m.op_of);
	map_free(c.keys);
	return rc;
}

int shared_revision_put(
    struct db *db, const char *key, const char *value, int64_t rev, struct err *e)
{
	const char *owner = NULL;

	if (!strncmp(key, "unique/", 7))
		owner = value;
	return db_run(db, e,
	    "insert into revs (key, rev, live, owner) values (?, ?, ?, ?)"
	    " on conflict (key) do update set rev = excluded.rev,"
	    " live = excluded.live, owner = excluded.owner",
	    "siis", key, rev, (int64_t)(value != NULL), owner);
}

int shared_tables_confirm(struct db *db, const struct shared_txn *t, int64_t rev, struct err *e)
{
	for (size_t i = 0; i < t->nops; i++)
		if (shared_revision_put(db, t->ops[i].key, t->ops[i].value, rev, e))
			return -1;
	return 0;
}
