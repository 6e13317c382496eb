#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/git/repo.h"
#include "shard/graph/graph_query.h"
#include "shard/handlers/rpc_handlers.h"

enum { LINES = GRAPH_DEPENDS };	/* the edges that a line of source makes */
enum { SUBJECT = 200 };		/* bytes of a commit's subject */

/* ---- a folder ---- */

struct folder_entries {
	const char *head;	/* the prefix of paths in it: `src/`, "" for the root */
	struct file_entry *v;
	size_t n, cap;
};

/* Folders first, then by name. */
static int by_name(const void *a, const void *b)
{
	const struct file_entry *x = a, *y = b;

	bool x_folder = x->files > 0, y_folder = y->files > 0;

	if (x_folder != y_folder)
		return y_folder - x_folder;
	return strcmp(x->name, y->name);
}

static bool is_folder_named(const struct file_entry *x, const char *name, size_t n)
{
	return x->files && strlen(x->name) == n && !strncmp(x->name, name, n);
}

/* Adds a path.  Paths come in order, so the files below one folder are consecutive. */
static void put_entry(struct folder_entries *d, const char *path, const char *language,
    uint64_t lines, struct arena *a)
{
	const char *name = path + strlen(d->head), *slash = strchr(name, '/');
	struct file_entry x;

	if (slash) {
		size_t n = (size_t)(slash - name);
		if (d->n && is_folder_named(&d->v[d->n - 1], name, n)) {
			d->v[d->n - 1].files++;
			return;
		}
		x = (struct file_entry){ .name = arena_strn(a, name, n),
			.path = arena_strn(a, path, (size_t)(slash - path)),
			.files = 1 };
	} else {
		x = (struct file_entry){ .name = arena_str(a, name),
			.path = arena_str(a, path),
			.language = arena_str(a, language),
			.lines = lines };
	}
	d->v = grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	d->v[d->n++] = x;
}

static int read_folder(struct db *db, struct folder_entries *d, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select path, language, lines from files where path >= ?1 and (?1 = '' or path <"
	    " substr(?1, 1, length(?1) - 1) || '0')"
	    " order by path", e);	/* 0 comes after the slash */
	int rc;

	if (!s || db_bind(s, "s", d->head))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		put_entry(d, db_str(s, 0), db_str(s, 1), (uint64_t)db_int(s, 2), a);
	return rc;
}

/* Lists a folder in `out`: 1; 0 if the index has nothing below it. */
static int fill_folder(struct db *db, const char *path, uint64_t limit, struct file_map_res *out,
    struct arena *a, struct err *e)
{
	size_t len = strlen(path);
	struct folder_entries d = { .head = path };

	if (len && path[len - 1] == '/')
		len--;
	else if (len)
		d.head = arena_printf(a, "%s/", path);
	int rc = read_folder(db, &d, a, e);
	if (!rc && (d.n || !*path)) {
		rc = 1;
		if (d.n)
			qsort(d.v, d.n, sizeof *d.v, by_name);
		out->path = arena_strn(a, path, len);
		out->total_entries = d.n;
		out->entries.n = MIN(d.n, limit);
		out->entries.v = arena_many(a, out->entries.n, struct file_entry);
		if (out->entries.n)
			memcpy(out->entries.v, d.v, out->entries.n * sizeof *d.v);
	}
	free(d.v);
	return rc;
}

/* ---- a file ---- */

/* Finds a file: 1; or a folder, which is listed in `out`: 0. */
static int find(struct db *db, const char *path, uint64_t limit, int64_t *file,
    struct file_map_res *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select id, path, language from files where path = ?", e);
	int rc;

	if (!s || db_bind(s, "s", path))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		*file = db_int(s, 0);
		out->path = db_copy_text(s, 1, a);
		out->language = db_copy_text(s, 2, a);
	}
	if (rc)
		return rc;
	if (out->path)
		return 1;
	rc = fill_folder(db, path, limit, out, a, e);
	if (rc < 0)
		return -1;
	if (rc)
		return 0;
	err_set(e, ERR_NOT_FOUND, "`%.150s` is not in the index", path);
	return err_hint(e, "`open_file` also shows files that are not indexed.");
}

static int fill_symbols(struct db *db, int64_t file, uint64_t limit, struct file_map_res *out,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select s.name, s.qualified, s.kind, s.signature, s.start_line, s.end_line, p.qualified,"
	    " s.exported, s.test"
	    " from symbols s left join symbols p on p.id = s.parent where s.file = ? order by"
	    " s.start_byte, s.end_byte desc, s.qualified, s.kind, s.ordinal",
	    e);
	struct symbol *v = NULL;
	size_t n = 0, cap = 0;
	int rc;

	if (!s || db_bind(s, "i", file))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (out->total++ >= limit)
			continue;
		v = grow(v, &cap, n + 1, sizeof *v);
		v[n] = (struct symbol){
			.name = db_copy_text(s, 0, a),
			.qualified = db_copy_text(s, 1, a),
			.kind = db_copy_text(s, 2, a),
			.signature = db_copy_text(s, 3, a),
			.path = out->path,
			.start_line = (uint64_t)db_int(s, 4),
			.end_line = (uint64_t)db_int(s, 5),
			.parent = db_copy_text(s, 6, a),
			.exported = db_int(s, 7),
			.test = db_int(s, 8),
		};
		v[n].id = arena_printf(a, "%s#%s", out->path, v[n].qualified);
		n++;
	}
	out->symbols.v = arena_many(a, n, struct symbol);
	out->symbols.n = n;
	if (n)
		memcpy(out->symbols.v, v, n * sizeof *v);
	free(v);
	return rc;
}

/*
 * Edges out of the file are sorted by the line that makes them, then by the other end; edges into
 * the file by the other end first.
 */
static int by_line(const struct related *x, const struct related *y)
{
	return (x->at_line > y->at_line) - (x->at_line < y->at_line);
}

static int by_end(const struct related *x, const struct related *y)
{
	int c = strcmp(x->path, y->path);

	if (c)
		return c;
	return (x->start_line > y->start_line) - (x->start_line < y->start_line);
}

static int rest(const struct related *x, const struct related *y)
{
	int c = strcmp(x->id, y->id);

	if (!c)
		c = strcmp(x->relation, y->relation);
	if (!c)
		c = strcmp(x->via, y->via);
	if (c)
		return c;
	return (x->confidence < y->confidence) - (x->confidence > y->confidence);
}

static int out_order(const void *a, const void *b)
{
	const struct neighbour *p = a, *q = b;
	int c = by_line(&p->r, &q->r);

	if (!c)
		c = by_end(&p->r, &q->r);
	if (c)
		return c;
	return rest(&p->r, &q->r);
}

static int in_order(const void *a, const void *b)
{
	const struct neighbour *p = a, *q = b;
	int c = p->r.test - q->r.test;

	if (!c)
		c = by_end(&p->r, &q->r);
	if (!c)
		c = by_line(&p->r, &q->r);
	if (c)
		return c;
	return rest(&p->r, &q->r);
}

/* Whether two edges of a line are the same, so that one is enough. */
static bool same(const struct related *x, const struct related *y)
{
	if (x->at_line != y->at_line || strcmp(x->id, y->id))
		return false;
	return !strcmp(x->relation, y->relation) && !strcmp(x->via, y->via);
}

static int fill_edges(struct db *db, int64_t file, bool incoming, uint64_t limit,
    struct related **v, size_t *n, uint64_t *total, struct arena *a, struct err *e)
{
	struct neighbours found = { 0 };
	int rc = graph_file_neighbours(db, file, incoming, LINES, &found, a, e);
	size_t kept = 0;

	if (!rc && found.n) {
		qsort(found.v, found.n, sizeof *found.v, incoming ? in_order : out_order);
		for (size_t i = 0; i < found.n; i++)
			if (!kept || !same(&found.v[kept - 1].r, &found.v[i].r))
				found.v[kept++] = found.v[i];
		*total = kept;
		*v = arena_many(a, MIN(kept, limit), struct related);
		for (; *n < kept && *n < limit; ++*n)
			(*v)[*n] = found.v[*n].r;
	}
	free(found.v);
	return rc;
}

/* The subject of the indexed commit; NULL if the repository cannot be read. */
static const char *subject_of(struct index_reader *r, struct arena *a)
{
	struct repo *repo = index_reader_repo(r, NULL);

	if (!repo)
		return NULL;
	return repo_subject(repo, r->info.commit, SUBJECT, a);
}

int rpc_file_map(struct shard *shard, struct index_reader *r, const struct file_map_req *q,
    struct file_map_res *out, struct arena *a, struct err *e)
{
	int64_t file = 0;

	(void)shard;
	int rc = find(r->db, q->path, q->limit, &file, out, a, e);
	if (rc >= 0)
		out->subject = subject_of(r, a);
	if (rc <= 0)
		return rc;
	if (fill_symbols(r->db, file, q->limit, out, a, e))
		return -1;
	if (fill_edges(
	        r->db, file, false, q->limit, &out->uses.v, &out->uses.n, &out->total_uses, a, e))
		return -1;
	return fill_edges(
	    r->db, file, true, q->limit, &out->used_by.v, &out->used_by.n, &out->total_used_by, a, e);
}
