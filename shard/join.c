#include "shard/join_own.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "proto/codec.h"
#include "shard/edge_store.h"
#include "shard/file_routes.h"
#include "shard/uses.h"

enum { MOST_TEXT = 8 << 20 };	/* a tree takes some 20 times as much */

/* ---- one file ---- */

/* What a file is told of objects that are made elsewhere: names of frameworks, with blanks around. */
static const char *given_frameworks(struct db *db, int64_t file, struct arena *a, struct err *e)
{
	struct stored_edges edges;
	struct buf b = { 0 };
	int64_t seen[64], target;
	size_t n = 0;

	if (edges_of(db, file, a, &edges, e))
		return NULL;
	for (size_t i = 0; i < edges.n && n < LEN(seen); i++) {
		bool again = (target = edges.v[i].target_file) == file;
		for (size_t k = 0; k < n; k++)
			again |= seen[k] == target;
		if (again)
			continue;
		seen[n++] = target;
		struct stmt *s = db_prep(db, "select makes from open where file = ? and makes is not null", e);
		if (s && !db_bind(s, "i", target))
			while (db_step(s, e) == 1)
				buf_str(&b, db_str(s, 0));
	}
	const char *out = b.n ? arena_strn(a, b.p, b.n) : NULL;
	buf_free(&b);
	return out;
}

static int keys_keep(struct join *j, int64_t file, bool first)
{
	int32_t *v = calloc(j->look.keys.n + 1, sizeof *v);
	size_t n = 0;

	if (!v)
		abort();
	for (size_t i = 0; i < j->look.keys.size; i++)
		if (j->look.keys.v[i])
			v[n++] = (int32_t)j->look.keys.v[i];
	int rc = first ? uses_put(j->db, USES_CONTRACTS, file, v, n, j->e) : uses_add(j->db, USES_CONTRACTS, file, v, n, j->e);
	free(v);
	return rc;
}

/* The file whose questions come next; NULL: it cannot be read. */
static struct reading *read_owner(struct join *j, struct file *f)
{
	static const struct facts none;

	j->look.a = arena_new();
	j->calls = NULL;
	j->owners++;
	look_begin(&j->look, f, &none);
	struct reading *r = join_read(j, f);
	if (r) {
		look_begin(&j->look, f, r->facts);
		look_note(&j->look, key_hash("b:", f->path, NULL));
	}
	return r;
}

static void end_owner(struct join *j)
{
	arena_free(j->look.a);
	j->look.a = NULL;
	join_forget(j, MOST_TEXT);
}

struct linking {
	struct join *j;
	int64_t file;
	struct buf children;	/* keys, int64_t */
	int rc;
};

static void put_link(void *arg, const char *framework, const struct identity *x, uint32_t at)
{
	struct linking *l = arg;
	struct join *j = l->j;
	const char *child = !x ? "" : x->in ? join_child(x, j->look.a) : arena_printf(j->look.a, "=%s", x->name);
	const char *path = x && x->in ? x->in->file->path : child;
	int64_t key = (int32_t)key_hash("w:", path, NULL);

	buf_put(&l->children, &key, sizeof key);
	if (!l->rc)
		l->rc = db_run(j->db, j->e, "insert into mounts values (?, ?, ?, ?)", "SSii", child, framework, l->file, (int64_t)at);
}

/* What a file says of objects of others, in place of what was known; keys of those others at the end of `children`. */
static int link_file(struct join *j, struct file *f, struct buf *children)
{
	struct linking l = { .j = j, .file = f->id };
	struct reading *r = read_owner(j, f);

	l.rc = db_run(j->db, j->e, "delete from mounts where file = ?", "i", f->id);
	if (!l.rc && r)
		contracts_links(r, j, given_frameworks(j->db, f->id, j->look.a, j->e), put_link, &l);
	int rc = l.rc ? l.rc : keys_keep(j, f->id, true);
	buf_put(children, l.children.p, l.children.n);
	buf_free(&l.children);
	end_owner(j);
	return rc || j->e->code ? -1 : 0;
}

static int put_fact(struct join *j, const struct file *owner, struct fact *f)
{
	struct file *at = f->file ? join_by_path(j, f->file) : NULL;
	struct buf bytes = { 0 };

	if (!at || at->test)
		return 0;
	for (size_t i = 0; i < f->steps.n; i++)
		if (!f->steps.v[i].file)
			f->steps.v[i].file = owner->path;
	codec_put(&rec_fact, f, &bytes);
	int rc = db_run(j->db, j->e, "insert into contracts(file, owner, line, fact, joined) values (?, ?, ?, ?, 2)", "iiib", at->id, owner->id,
	    (int64_t)f->line, bytes.p, bytes.n);
	buf_free(&bytes);
	return rc;
}

/* The facts of a file, in place of those that it has. */
static int join_file(struct join *j, struct file *f)
{
	struct fact_list l = { 0 };
	struct reading *r = read_owner(j, f);
	int rc = db_run(j->db, j->e, "delete from contracts where owner = ? and joined <> 1", "i", f->id);

	if (!rc && r && !f->test)
		contracts_read(r, j, given_frameworks(j->db, f->id, j->look.a, j->e), &l);
	l.n = file_routes(l.v, l.n, f->path, j->look.a);
	for (size_t i = 0; !rc && i < l.n; i++)
		rc = put_fact(j, f, &l.v[i]);
	for (size_t i = 0; !rc && r && i < r->facts->contracts.n; i++) {	/* what is outside the tree */
		struct fact x = r->facts->contracts.v[i];
		x.file = f->path;
		rc = put_fact(j, f, &x);
	}
	rc = rc ? rc : keys_keep(j, f->id, false);
	free(l.v);
	end_owner(j);
	return rc || j->e->code ? -1 : 0;
}

/* ---- all, and some ---- */

struct ids {
	int64_t *v;
	size_t n, cap;
};

static void ids_add(void *arg, int64_t id)
{
	struct ids *ids = arg;

	ids->v = grow(ids->v, &ids->cap, ids->n + 1, sizeof *ids->v);
	ids->v[ids->n++] = id;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void ids_settle(struct ids *ids)
{
	size_t n = 0;

	if (ids->n)
		qsort(ids->v, ids->n, sizeof *ids->v, by_number);
	for (size_t i = 0; i < ids->n; i++)
		if (!n || ids->v[n - 1] != ids->v[i])
			ids->v[n++] = ids->v[i];
	ids->n = n;
}

static bool among(const struct ids *ids, int64_t id)
{
	return ids->n && bsearch(&id, ids->v, ids->n, sizeof id, by_number);
}

/* The numbers that a statement gives; its parameter, if any, is `id`. */
static int ids_select(struct db *db, const char *sql, int64_t id, struct ids *out, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	int rc = !s ? -1 : strchr(sql, '?') ? db_bind(s, "i", id) : 0;

	while (!rc && (rc = db_step(s, e)) == 1) {
		ids_add(out, db_int(s, 0));
		rc = 0;
	}
	return rc;
}

static int edges_from(struct db *db, int64_t file, struct ids *out, struct err *e)
{
	struct arena *a = arena_new();
	int64_t *v;
	size_t n = 0;
	int rc = edges_into(db, file, a, &v, &n, e);

	for (size_t i = 0; !rc && i < n; i++)
		ids_add(out, v[i]);
	arena_free(a);
	return rc;
}

/* Files of which others may make something: the frameworks' objects of `makers` lead to them. */
static int add_given(struct db *db, const struct ids *makers, struct ids *out, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < makers->n; i++)
		rc = edges_from(db, makers->v[i], out, e);
	return rc;
}

/* First what files say of others' objects, then facts; in order of path. */
static int join_files(struct join *j, const struct ids *linking, struct ids *files)
{
	struct buf children = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < j->w->nfiles; i++)
		if (among(linking, j->w->files[i].id))
			rc = link_file(j, &j->w->files[i], &children);
	size_t n = children.n / sizeof(int64_t);
	int32_t *keys = malloc((n + 1) * sizeof *keys);
	if (!keys)
		abort();
	for (size_t i = 0; i < n; i++)
		keys[i] = (int32_t)((int64_t *)(void *)children.p)[i];
	rc = rc || uses_find(j->db, USES_CONTRACTS, keys, n, ids_add, files, j->e) ? -1 : 0;
	free(keys);
	buf_free(&children);
	ids_settle(files);
	for (size_t i = 0; !rc && i < j->w->nfiles; i++)
		if (among(files, j->w->files[i].id))
			rc = join_file(j, &j->w->files[i]);
	return rc;
}

int join_all(struct db *db, const struct texts *texts, struct err *e)
{
	struct ids files = { 0 }, linking = { 0 }, makers = { 0 };
	struct join j = { 0 };
	int rc = ids_select(db, "select file from open where sites", 0, &files, e) || ids_select(db, "select file from open where links", 0, &linking, e) ||
	    ids_select(db, "select file from open where makes is not null", 0, &makers, e) || add_given(db, &makers, &files, e) ? -1 : 0;

	ids_settle(&files);
	ids_settle(&linking);
	if (!rc && (files.n || linking.n)) {
		rc = join_begin(&j, db, texts, e);
		rc = rc ? rc : join_files(&j, &linking, &files);
		join_end(&j);
	}
	free(files.v);
	free(linking.v);
	free(makers.v);
	return rc;
}

int join_keys(struct db *db, int64_t file, void (*each)(void *, int64_t), void *arg, struct err *e)
{
	struct arena *a = arena_new();
	struct stored_edges edges;
	struct stmt *s;
	char number[24];
	int rc = edges_of(db, file, a, &edges, e);

	for (size_t i = 0; !rc && i < edges.n; i++)
		if (edges.v[i].kind == EDGE_CALLS) {
			snprintf(number, sizeof number, "%lld", (long long)edges.v[i].target);
			each(arg, (int32_t)key_hash("c:", number, NULL));
		}
	s = rc ? NULL : db_prep(db, "select key from settings where file = ?", e);
	rc = rc ? rc : s ? db_bind(s, "i", file) : -1;
	while (!rc && (rc = db_step(s, e)) == 1) {
		each(arg, (int32_t)key_hash("g:", db_str(s, 0), NULL));
		rc = 0;
	}
	s = rc ? NULL : db_prep(db, "select child from mounts where file = ?", e);
	rc = rc ? rc : s ? db_bind(s, "i", file) : -1;
	while (!rc && (rc = db_step(s, e)) == 1) {
		const char *child = db_str(s, 0);
		each(arg, (int32_t)key_hash("w:", arena_strn(a, child, strcspn(child, "#")), NULL));
		rc = 0;
	}
	arena_free(a);
	return rc;
}

static void add_key(void *arg, int64_t key)
{
	ids_add(arg, key);
}

/* Which files are to be asked again. */
static int concerned(struct db *db, const int64_t *touched, size_t ntouched, const struct ids *keys, struct ids *files, struct ids *linking,
    struct err *e)
{
	struct ids makers = { 0 };
	int32_t *v = malloc((keys->n + 1) * sizeof *v);
	int rc = 0;

	if (!v)
		abort();
	for (size_t i = 0; i < keys->n; i++)
		v[i] = (int32_t)keys->v[i];
	rc = uses_find(db, USES_CONTRACTS, v, keys->n, ids_add, files, e);
	free(v);
	for (size_t i = 0; !rc && i < ntouched; i++) {
		struct arena *a = arena_new();
		rc = ids_select(db, "select file from open where file = ? and sites", touched[i], files, e) ||
		    ids_select(db, "select file from asked where file = ?", touched[i], files, e) ||
		    ids_select(db, "select file from open where file = ? and makes is not null", touched[i], &makers, e) ? -1 : 0;
		if (!rc && given_frameworks(db, touched[i], a, e))
			ids_add(files, touched[i]);
		arena_free(a);
	}
	rc = rc || add_given(db, &makers, files, e) ? -1 : 0;
	size_t n = files->n;
	for (size_t i = 0; !rc && i < n + ntouched; i++)
		rc = ids_select(db, "select file from open where file = ? and links", i < n ? files->v[i] : touched[i - n], linking, e);
	free(makers.v);
	return rc;
}

int join_some(struct db *db, const struct texts *texts, const int64_t *touched, size_t ntouched, const int64_t *keys,
    size_t nkeys, int64_t **done, size_t *ndone, struct err *e)
{
	struct ids all = { 0 }, files = { 0 }, linking = { 0 };
	struct join j = { 0 };
	int rc = 0;

	for (size_t i = 0; i < nkeys; i++)
		ids_add(&all, keys[i]);
	for (size_t i = 0; !rc && i < ntouched; i++)
		rc = join_keys(db, touched[i], add_key, &all, e);
	rc = rc || concerned(db, touched, ntouched, &all, &files, &linking, e) ? -1 : 0;
	ids_settle(&files);
	ids_settle(&linking);
	if (!rc && (files.n || linking.n)) {
		rc = join_begin(&j, db, texts, e);
		rc = rc ? rc : join_files(&j, &linking, &files);
		join_end(&j);
	}
	*done = files.v;
	*ndone = files.n;
	free(all.v);
	free(linking.v);
	return rc;
}
