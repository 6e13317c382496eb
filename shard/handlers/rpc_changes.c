#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/base/options.h"
#include "shard/daemon/shard.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/git/repo.h"
#include "shard/handlers/changed_definitions.h"
#include "shard/handlers/impact_analysis.h"
#include "shard/handlers/name_mentions.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/ingest/file_filter.h"
#include "shard/parse/outline.h"

/*
 * What is looked into: files and bytes of them; walks, their nodes, depth and confidence; removed
 * names that are looked for.
 */
enum {
	FILES = 400, BYTES = 16 << 20, FILE_BYTES = 1 << 20, OUTLINE_MS = 5000,
	WALKS_MAX = 200, WALK_NODES_MAX = 2000, DEPTH = 3, CONFIDENCE_MIN = 50, REMOVED_NAMES_MAX = 5,
	    REASONS = 24
};

/* A file of the change, before and after. */
struct file_versions {
	struct diff_file *d;
	struct file_version old, now;
	struct buf old_text, new_text;
	bool looked;		/* its texts are there */
};

struct changes_context {
	struct index_reader *r;
	struct repo *repo;
	struct arena *a;
	struct diff diff;
	bool text;		/* the caller gave a diff */
	struct file_versions *v;		/* one for each delta */
	size_t bytes, left_out;
	struct strs *reasons;
	const char *sandbox;	/* of the child that parses them */
	struct err outline;	/* why some texts were not parsed */
};

static void add_reason(struct changes_context *w, const char *reason)
{
	if (w->reasons->n < REASONS)
		w->reasons->v[w->reasons->n++] = reason;
}

static bool has(const char *s)
{
	return s && *s;
}

/* ---- what changed ---- */

static int read_diff(
    struct changes_context *w, const struct changes_req *q, struct changes_res *out, struct err *e)
{
	char *base = arena_get(w->a, REPO_OID_SIZE, 1), *head = arena_get(w->a, REPO_OID_SIZE, 1);

	if (has(q->diff)) {
		w->text = true;
		return repo_diff_text(q->diff, w->a, &w->diff, e);
	}
	if (has(q->head) ? repo_revision(w->repo, q->head, head, e) :
	                   (memcpy(head, w->r->info.commit, REPO_OID_SIZE - 1), 0))
		return err_add(e, "head");
	if (has(q->base) ? repo_revision(w->repo, q->base, base, e) :
	                   repo_change_base(w->repo, head, base, e))
		return err_add(e, "base");
	out->base = *base ? base : NULL;
	out->head = head;
	return repo_diff(w->repo, base, head, w->a, &w->diff, e);
}

/* ---- the texts ---- */

static size_t skip_lines(const char *p, size_t n, uint32_t lines)
{
	size_t i = 0;

	for (; i < n && lines; i++)
		lines -= p[i] == '\n';
	return i;
}

/* The text after the hunks; INVALID_INPUT: it is not what they were made from. */
static int apply(const struct diff_file *d, const struct buf *old, struct buf *out, struct err *e)
{
	const char *p = old->p ? old->p : "";
	size_t at = 0;
	uint32_t line = 1;

	for (size_t i = 0; i < d->nhunks; i++) {
		const struct diff_hunk *h = &d->hunks[i];
		size_t n = h->old_start >= line ? skip_lines(p + at, old->n - at, h->old_start - line) : 0;
		buf_put(out, p + at, n);
		at += n;
		n = strlen(h->old_text);
		/* no newline at its end */
		size_t there = n;
		if (old->n - at < n && n && h->old_text[n - 1] == '\n')
			there = n - 1;
		if (h->old_start < line || old->n - at < there || memcmp(p + at, h->old_text, there))
			return err_set(e, ERR_INVALID_INPUT,
			    "diff: line %u of %.100s is not what the indexed commit has", h->old_start,
			    d->old_path);
		at += there;
		line = h->old_start + h->old_lines;
		buf_str(out, h->new_text);
	}
	buf_put(out, p + at, old->n - at);
	return 0;
}

static int read_side(
    struct changes_context *w, const char *blob, struct file_version *v, struct buf *text)
{
	if (!*blob || repo_blob_text(w->repo, blob, text, NULL))
		return -1;
	*v = (struct file_version){ .text = text->p ? text->p : "", .n = text->n };
	w->bytes += text->n;
	return 0;
}

/* The sides of a caller's diff: what is indexed, and that with the hunks. */
static int apply_given_diff(struct changes_context *w, struct file_versions *p, struct err *e)
{
	struct diff_file *d = p->d;
	char blob[REPO_OID_SIZE];

	if (d->change != 'A') {
		struct err ignored = { 0 };
		if (repo_find_blob(w->repo, w->r->info.commit, d->old_path, blob, &ignored))
			return err_set(
			    e, ERR_INVALID_INPUT, "diff: the indexed commit has no file `%.150s`", d->old_path);
		memcpy(d->old_blob, blob, REPO_OID_SIZE);
		if (read_side(w, d->old_blob, &p->old, &p->old_text))
			return 0;
	}
	if (d->change != 'D') {
		if (!d->binary && apply(d, &p->old_text, &p->new_text, e))
			return -1;
		p->now = (struct file_version){ .text = p->new_text.p ? p->new_text.p : "",
			.n = p->new_text.n };
	}
	return 0;
}

static bool is_code(const struct diff_file *d)
{
	return !d->binary && !filter_skip_path(d->new_path) && !filter_skip_path(d->old_path);
}

static int read_texts(struct changes_context *w, struct err *e)
{
	for (size_t i = 0; i < w->diff.n; i++) {
		struct file_versions *p = &w->v[i];
		p->d = &w->diff.v[i];
		if (!is_code(p->d) && !w->text)
			continue;
		if (i >= FILES || w->bytes > BYTES) {
			w->left_out++;
			continue;
		}
		if (w->text && apply_given_diff(w, p, e))
			return -1;
		if (!w->text && p->d->change != 'A')
			read_side(w, p->d->old_blob, &p->old, &p->old_text);
		if (!w->text && p->d->change != 'D')
			read_side(w, p->d->new_blob, &p->now, &p->new_text);
		p->looked = is_code(p->d) && p->old.n <= FILE_BYTES && p->now.n <= FILE_BYTES;
		w->left_out += is_code(p->d) && !p->looked;
	}
	return 0;
}

/* ---- the definitions ---- */

/* Those of a blob that the index has at this path. */
static const struct facts *indexed_facts(
    struct changes_context *w, const char *path, const char *blob)
{
	struct stmt *s = NULL;
	struct facts *out = NULL;

	if (*blob)
		s = db_prep(w->r->db,
		    "select x.facts from facts x join files f on f.id = x.file"
		    " where f.path = ? and f.blob = ?",
		    NULL);
	if (!s || db_bind(s, "ss", path, blob))
		return NULL;
	while (db_step(s, NULL) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		struct facts *f = arena_one(w->a, struct facts);
		if (!facts_decode(arena_strn(w->a, p, n), n, w->a, f, NULL))
			out = f;
	}
	return out;
}

struct outline_batch {
	struct outline_text *v;
	struct file_version **to;
	size_t n;
};

static void request_outline(struct changes_context *w, struct outline_batch *q, const char *path,
    const char *blob, struct file_version *v)
{
	if (!v->text || (v->facts = indexed_facts(w, path, blob)))
		return;
	q->to[q->n] = v;
	q->v[q->n++] = (struct outline_text){ .path = path, .p = v->text, .n = v->n };
}

static void read_definitions(struct changes_context *w)
{
	struct outline_batch q = { arena_many(w->a, 2 * w->diff.n, struct outline_text),
		arena_many(w->a, 2 * w->diff.n, struct file_version *), 0 };

	for (size_t i = 0; i < w->diff.n; i++) {
		struct file_versions *p = &w->v[i];
		if (!p->looked)
			continue;
		request_outline(w, &q, p->d->old_path, p->d->old_blob, &p->old);
		request_outline(w, &q, p->d->new_path, p->d->new_blob, &p->now);
	}
	outline_parse(q.v, q.n, w->sandbox, OUTLINE_MS, w->a, &w->outline);
	for (size_t i = 0; i < q.n; i++)
		q.to[i]->facts = q.v[i].facts;
	if (w->outline.code)
		add_reason(w, arena_str(w->a, w->outline.msg));
}

/* ---- the answer ---- */

static const char *change_name(char c)
{
	if (c == 'A')
		return "added";
	if (c == 'D')
		return "removed";
	if (c == 'R')
		return "renamed";
	return "changed";
}

static void put_files(struct changes_context *w, size_t limit, struct changes_res *out)
{
	out->total_files = w->diff.total;
	out->files.v = arena_many(w->a, MIN(w->diff.n, limit), struct changed_file);
	for (size_t i = 0; i < w->diff.n && out->files.n < limit; i++) {
		const struct file_versions *p = &w->v[i];
		out->files.v[out->files.n++] = (struct changed_file){ .path = p->d->new_path,
			.change = change_name(p->d->change),
			.old_path = p->d->change == 'R' ? p->d->old_path : NULL,
			.added = p->d->added,
			.removed = p->d->removed,
			.binary = p->d->binary,
			.indexed = p->old.facts || p->now.facts };
	}
}

struct located_symbol {
	struct changed_symbol y;
	struct graph_node node;	/* in the index; file 0: it is not there */
	const char *gone;	/* a name that the index no longer has */
};

struct located_symbols {
	struct located_symbol *v;
	size_t n, cap;
};

/* The definition in the index, under the path before or after the change. */
static int locate(struct changes_context *w, const struct diff_file *d,
    const struct definition *def, struct located_symbol *x, struct err *e)
{
	const char *paths[] = { d->new_path, d->old_path };

	for (size_t i = 0; i < LEN(paths) && !x->node.file; i++) {
		struct stmt *s = def ?
		    db_prep(w->r->db,
		        "select f.id, s.id, s.signature, s.test from files f join symbols s on"
		        " s.file = f.id where f.path = ? and s.qualified = ? and s.kind = ? order by s.ordinal limit 1",
		        e) :
		    db_prep(w->r->db, "select id, 0, null, test from files where path = ?", e);
		int rc;
		if (!s ||
		    (def ? db_bind(s, "sss", paths[i], def->qualified, def->kind) :
		           db_bind(s, "s", paths[i])))
			return -1;
		while ((rc = db_step(s, e)) == 1) {
			x->node = (struct graph_node){ db_int(s, 0), db_int(s, 1) };
			if (db_null(s, 2))
				x->y.signature = NULL;
			else
				x->y.signature = arena_str(w->a, db_str(s, 2));
			x->y.test = db_int(s, 3);
		}
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int put_symbol(struct changes_context *w, const struct diff_file *d,
    const struct definition_edit *c, struct located_symbols *out, struct err *e)
{
	static const char *const names[] = { "changed", "added", "removed", "renamed" };
	const struct definition *def = c->now ? c->now : c->old;
	const char *path = c->now || d->change != 'D' ? d->new_path : d->old_path;
	struct located_symbol x = { 0 };

	x.y = (struct changed_symbol){ .change = names[c->kind], .path = path,
		.qualified = def ? arena_str(w->a, def->qualified) : path, .kind = def ? def->kind : "file",
		.start_line = def ? def->start_line : 1, .end_line = def ? def->end_line : 1,
		.was = c->kind == EDIT_RENAMED ? c->old->qualified : NULL };
	if (def)
		x.y.id = arena_printf(w->a, "%s#%s", path, def->qualified);
	else
		x.y.id = path;
	if (c->kind == EDIT_REMOVED || c->kind == EDIT_RENAMED)
		x.gone = c->old->name;
	if (c->now && locate(w, d, c->now, &x, e))
		return -1;
	if (!x.node.file && (!c->now || c->kind == EDIT_RENAMED)) {
		if (locate(w, d, c->old, &x, e))
			return -1;
		if (x.node.file)
			x.gone = NULL;	/* the index is of before */
	}
	x.y.test = x.y.test || (def && def->test) || filter_is_test(path);
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = x;
	return 0;
}

static int put_symbols(struct changes_context *w, struct located_symbols *out, struct err *e)
{
	struct definition_edits c = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < w->diff.n; i++) {
		const struct file_versions *p = &w->v[i];
		c.n = 0;
		if (p->looked)
			definition_edits_find(&p->old, &p->now, p->d->hunks, p->d->nhunks, &c, w->a);
		for (size_t k = 0; !rc && k < c.n; k++)
			rc = put_symbol(w, p->d, &c.v[k], out, e);
	}
	free(c.v);
	return rc;
}

static int by_place(const void *a, const void *b)
{
	const struct changed_symbol *x = &((const struct located_symbol *)a)->y,
	                            *y = &((const struct located_symbol *)b)->y;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = (x->start_line > y->start_line) - (x->start_line < y->start_line);
	if (!c)
		c = strcmp(x->qualified, y->qualified);
	if (c)
		return c;
	return strcmp(x->change, y->change);
}

/* ---- whom it affects ---- */

static struct impact walk_from(size_t most)
{
	return (struct impact){ .walk = { .depth = DEPTH, .min = CONFIDENCE_MIN, .most = most } };
}

/* A file's top level is nobody's start but its own: what it holds did not change with it. */
static int start(
    struct impact *x, struct changes_context *w, const struct located_symbol *f, struct err *e)
{
	return impact_add_start(x, w->r->db, f->node, f->node.symbol ? NULL : "", f->y.path, w->a, e);
}

static int measure_impact(struct changes_context *w, struct located_symbol *f, struct err *e)
{
	struct impact x = walk_from(WALK_NODES_MAX);
	int rc = start(&x, w, f, e);

	if (!rc)
		rc = impact_run(&x, w->r->db, w->a, e);
	if (!rc) {
		f->y.reach = arena_one(w->a, struct reach);
		*f->y.reach = x.reach;
		f->y.routes.v = x.routes.v;
		f->y.routes.n = x.routes.n;
	}
	impact_free(&x);
	return rc;
}

static int measure_all(
    struct changes_context *w, struct located_symbols *l, struct changes_res *out, struct err *e)
{
	struct impact x = walk_from(IMPACT_NODES_MAX);
	struct strs more = { 0 };
	size_t walks = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < l->n; i++) {
		struct located_symbol *f = &l->v[i];
		if (!f->node.file || !f->node.symbol)
			continue;
		rc = start(&x, w, f, e);
		if (!rc && walks++ < WALKS_MAX)
			rc = measure_impact(w, f, e);
	}
	if (!rc)
		rc = impact_run(&x, w->r->db, w->a, e);
	if (!rc)
		rc = impact_uncertainties(&x, w->r, NULL, &more, w->a, e);
	if (!rc) {
		out->reach = arena_one(w->a, struct reach);
		*out->reach = x.reach;
		out->routes.v = x.routes.v;
		out->routes.n = x.routes.n;
		for (size_t i = 0; i < more.n; i++)
			add_reason(w, more.v[i]);
		if (walks > WALKS_MAX)
			add_reason(w,
			    arena_printf(
			        w->a, "%zu definitions were not looked at one by one", walks - WALKS_MAX));
	}
	impact_free(&x);
	return rc;
}

/* Whether a definition has this name; 1, 0 or -1. */
static int is_defined(struct changes_context *w, const char *name, struct err *e)
{
	struct stmt *s = db_prep(
	    w->r->db, "select 1 from symbols where key = ? and name = ? limit 1", e);
	int rc, found = 0;

	if (!s || db_bind(s, "ss", symbol_key(name, w->a), name))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		found = 1;
	return rc < 0 ? -1 : found;
}

/* What still uses the names that are gone: the index of the new state has no edges to them. */
static int check_removed_names(
    struct changes_context *w, const struct located_symbols *l, struct err *e)
{
	struct map *none = map_new();
	size_t looked = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < l->n && looked < REMOVED_NAMES_MAX; i++) {
		const struct located_symbol *f = &l->v[i];
		struct name_mentions m;
		if (!f->gone || (rc = is_defined(w, f->gone, e)) > 0) {
			rc = 0;
			continue;
		}
		if (rc)
			break;
		looked++;
		rc = name_mentions_find(w->r, f->gone, false, none, &m, w->a, e);
		if (!rc && m.files)
			add_reason(w,
			    arena_printf(w->a, "`%s` is %s and still named in %llu %s, e.g. %s", f->gone,
			        f->y.change, (unsigned long long)m.files, m.files == 1 ? "file" : "files",
			        m.example));
	}
	map_free(none);
	return rc;
}

static void add_limit_reasons(struct changes_context *w)
{
	if (w->diff.cut)
		add_reason(w,
		    arena_printf(w->a,
		        "the change is larger than is read of one: %zu of %zu files, %d lines", w->diff.n,
		        w->diff.total, DIFF_MAX_LINES));
	if (w->left_out)
		add_reason(w,
		    arena_printf(w->a, "%zu files were too many or too large to look into", w->left_out));
}

static int report(
    struct changes_context *w, const struct changes_req *q, struct changes_res *out, struct err *e)
{
	struct located_symbols l = { 0 };
	int rc = put_symbols(w, &l, e);

	if (!rc && l.n)
		qsort(l.v, l.n, sizeof *l.v, by_place);
	add_limit_reasons(w);
	if (!rc)
		rc = measure_all(w, &l, out, e);
	if (!rc)
		rc = check_removed_names(w, &l, e);
	out->total_symbols = l.n;
	out->symbols.v = arena_many(w->a, MIN(l.n, q->limit), struct changed_symbol);
	for (; out->symbols.n < l.n && out->symbols.n < q->limit; out->symbols.n++)
		out->symbols.v[out->symbols.n] = l.v[out->symbols.n].y;
	put_files(w, q->limit, out);
	free(l.v);
	return rc;
}

int rpc_changes(struct shard *shard, struct index_reader *r, const struct changes_req *q,
    struct changes_res *out, struct arena *a, struct err *e)
{
	struct changes_context w = { .r = r,
		.repo = index_reader_repo(r, e),
		.a = a,
		.reasons = &out->reasons,
		.sandbox = shard_options(shard)->sandbox };

	out->reasons.v = arena_many(a, REASONS, const char *);
	if (!w.repo || read_diff(&w, q, out, e))
		return -1;
	w.v = arena_many(a, w.diff.n, struct file_versions);
	int rc = read_texts(&w, e);
	if (!rc) {
		read_definitions(&w);
		rc = report(&w, q, out, e);
	}
	for (size_t i = 0; i < w.diff.n; i++) {
		buf_free(&w.v[i].old_text);
		buf_free(&w.v[i].new_text);
	}
	return rc;
}
