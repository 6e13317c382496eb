#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/base/options.h"
#include "shard/daemon/shard.h"
#include "shard/facts/facts.h"
#include "shard/git/repo.h"
#include "shard/handlers/changed_definitions.h"
#include "shard/handlers/changed_texts.h"
#include "shard/handlers/impact_analysis.h"
#include "shard/handlers/name_mentions.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/ingest/file_filter.h"

enum {
	WALKS_MAX = 200,		/* definitions whose impact is measured one by one */
	WALK_NODES_MAX = 2000,
	DEPTH = 3,
	CONFIDENCE_MIN = 50,
	REMOVED_NAMES_MAX = 5,		/* removed names that are searched for */
	/* when the walks end, in percent of the time: that of all changes, those of each */
	ALL_PERCENT = 35,
	EACH_PERCENT = 70
};

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
		struct changed_file *f = &out->files.v[out->files.n++];
		*f = (struct changed_file){
			.path = p->d->new_path,
			.change = change_name(p->d->change),
			.added = p->d->added,
			.removed = p->d->removed,
			.binary = p->d->binary,
			.indexed = p->old.facts || p->now.facts,
		};
		if (p->d->change == 'R')
			f->old_path = p->d->old_path;
	}
}

struct located_symbol {
	struct changed_symbol y;
	struct graph_node node;	/* in the index; file is 0 if it is not there */
	const char *gone;	/* a name that the index no longer has; may be NULL */
};

struct located_symbols {
	struct located_symbol *v;
	size_t n, cap;
};

/* A statement for the definition at this path, or for the file if there is none. */
static struct stmt *select_node(
    struct db *db, const char *path, const struct definition *def, struct err *e)
{
	struct stmt *s;

	if (!def) {
		s = db_prep(db, "select id, 0, null, test from files where path = ?", e);
		if (!s || db_bind(s, "s", path))
			return NULL;
		return s;
	}
	s = db_prep(db,
	    "select f.id, s.id, s.signature, s.test from files f join symbols s on"
	    " s.file = f.id where f.path = ? and s.qualified = ? and s.kind = ? order by s.ordinal"
	    " limit 1",
	    e);
	if (!s || db_bind(s, "sss", path, def->qualified, def->kind))
		return NULL;
	return s;
}

/* Finds the definition in the index, under the path after or before the change. */
static int locate(struct changes_context *w, const struct diff_file *d,
    const struct definition *def, struct located_symbol *x, struct err *e)
{
	const char *paths[] = { d->new_path, d->old_path };

	for (size_t i = 0; i < LEN(paths) && !x->node.file; i++) {
		struct stmt *s = select_node(w->r->db, paths[i], def, e);
		int rc;
		if (!s)
			return -1;
		while ((rc = db_step(s, e)) == 1) {
			x->node = (struct graph_node){ db_int(s, 0), db_int(s, 1) };
			x->y.signature = NULL;
			if (!db_null(s, 2))
				x->y.signature = arena_str(w->a, db_str(s, 2));
			x->y.test = db_int(s, 3);
		}
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* Describes the changed definition, or the file as a whole. */
static struct changed_symbol describe(
    struct changes_context *w, const struct diff_file *d, const struct definition_edit *c)
{
	static const char *const names[] = { "changed", "added", "removed", "renamed" };
	const struct definition *def = c->now ? c->now : c->old;
	struct changed_symbol y = { .change = names[c->kind], .path = d->new_path };

	if (!c->now && d->change == 'D')
		y.path = d->old_path;
	if (c->kind == EDIT_RENAMED)
		y.was = c->old->qualified;
	y.test = filter_is_test(y.path);
	if (!def) {
		y.id = y.path;
		y.qualified = y.path;
		y.kind = "file";
		y.start_line = 1;
		y.end_line = 1;
		return y;
	}
	y.id = arena_printf(w->a, "%s#%s", y.path, def->qualified);
	y.qualified = arena_str(w->a, def->qualified);
	y.kind = def->kind;
	y.start_line = def->start_line;
	y.end_line = def->end_line;
	y.test |= def->test;
	return y;
}

static int put_symbol(struct changes_context *w, const struct diff_file *d,
    const struct definition_edit *c, struct located_symbols *out, struct err *e)
{
	struct located_symbol x = { .y = describe(w, d, c) };
	bool test = x.y.test;

	if (c->kind == EDIT_REMOVED || c->kind == EDIT_RENAMED)
		x.gone = c->old->name;
	if (c->now && locate(w, d, c->now, &x, e))
		return -1;
	if (!x.node.file && (!c->now || c->kind == EDIT_RENAMED)) {
		if (locate(w, d, c->old, &x, e))
			return -1;
		if (x.node.file)
			x.gone = NULL;	/* the index is of the state before the change */
	}
	x.y.test |= test;
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
		if (p->compared)
			definition_edits_find(&p->old, &p->now, p->d->hunks, p->d->nhunks, &c, w->a);
		for (size_t k = 0; !rc && k < c.n; k++)
			rc = put_symbol(w, p->d, &c.v[k], out, e);
	}
	free(c.v);
	return rc;
}

static int by_place(const void *a, const void *b)
{
	const struct located_symbol *p = a, *q = b;
	const struct changed_symbol *x = &p->y, *y = &q->y;
	int c = strcmp(x->path, y->path);

	if (!c)
		c = (x->start_line > y->start_line) - (x->start_line < y->start_line);
	if (!c)
		c = strcmp(x->qualified, y->qualified);
	if (c)
		return c;
	return strcmp(x->change, y->change);
}

/* ---- the impact ---- */

static struct impact walk_from(const struct index_reader *r, size_t max_nodes, int percent)
{
	return (struct impact){ .walk = { .depth = DEPTH,
		                        .min = CONFIDENCE_MIN,
		                        .most = max_nodes,
		                        .limit.until_ms = index_reader_until(r, percent) } };
}

static int start(
    struct impact *x, struct changes_context *w, const struct located_symbol *f, struct err *e)
{
	const char *qualified = f->node.symbol ? NULL : "";

	return impact_add_start(x, w->r->db, f->node, qualified, f->y.path, w->a, e);
}

static int measure_impact(
    struct changes_context *w, struct located_symbol *f, bool *stopped, struct err *e)
{
	struct impact x = walk_from(w->r, WALK_NODES_MAX, EACH_PERCENT);
	int rc = start(&x, w, f, e);

	if (!rc)
		rc = impact_run(&x, w->r->db, w->a, e);
	if (!rc) {
		f->y.reach = arena_one(w->a, struct reach);
		*f->y.reach = x.reach;
		f->y.routes.v = x.routes.v;
		f->y.routes.n = x.routes.n;
		*stopped = x.walk.stopped;
	}
	impact_free(&x);
	return rc;
}

/* The impact of all of them together. */
static int measure_all(
    struct changes_context *w, struct located_symbols *l, struct changes_res *out, struct err *e)
{
	struct impact x = walk_from(w->r, IMPACT_NODES_MAX, ALL_PERCENT);
	struct strs more = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < l->n; i++)
		if (l->v[i].node.file && l->v[i].node.symbol)
			rc = start(&x, w, &l->v[i], e);
	if (!rc)
		rc = impact_run(&x, w->r->db, w->a, e);
	if (!rc)
		rc = impact_uncertainties(&x, w->r, NULL, &more, w->a, e);
	if (!rc) {
		for (size_t i = 0; i < more.n; i++)
			changed_texts_add_reason(w, more.v[i]);
		out->reach = arena_one(w->a, struct reach);
		*out->reach = x.reach;
		out->routes.v = x.routes.v;
		out->routes.n = x.routes.n;
		out->stopped = x.walk.stopped;
	}
	impact_free(&x);
	return rc;
}

/* The symbols of a page whose impact is measured, each on its own. */
struct measured_symbols {
	size_t from, end;	/* of the located symbols */
	size_t unmeasured;	/* beyond WALKS_MAX */
	bool stopped;		/* the time ended before all of the page were measured */
};

/*
 * Measure the symbols of the page until the time ends.  The first one is measured in any case, so
 * that each page has something new.
 */
static int measure_each(
    struct changes_context *w, struct located_symbols *l, struct measured_symbols *m, struct err *e)
{
	int64_t until = index_reader_until(w->r, EACH_PERCENT);
	size_t end = m->end, walks = 0;
	int rc = 0;

	for (m->end = m->from; !rc && m->end < end && !m->stopped; m->end++) {
		struct located_symbol *f = &l->v[m->end];
		bool cut = false;
		if (!f->node.file || !f->node.symbol)
			continue;
		if (walks++ >= WALKS_MAX) {
			m->unmeasured++;
			continue;
		}
		rc = measure_impact(w, f, &cut, e);
		m->stopped = cut || (until && clock_ms() >= until);
	}
	return rc;
}

static void add_measure_reasons(
    struct changes_context *w, const struct located_symbols *l, const struct measured_symbols *m)
{
	if (m->unmeasured)
		changed_texts_add_reason(w,
		    arena_printf(
		        w->a, "the impact of %zu definitions was not measured one by one", m->unmeasured));
	if (m->stopped)
		changed_texts_add_reason(w,
		    arena_printf(w->a,
		        "deadline: of %zu definitions, only the first %zu were measured one by one, and the"
		        " last of them perhaps not wholly",
		        l->n, m->end));
}

/* Whether a definition has this name: 1, 0 or -1. */
static int is_defined(struct changes_context *w, const char *name, struct err *e)
{
	struct stmt *s = db_prep(
	    w->r->db, "select 1 from symbols where key = ? and name = ? limit 1", e);
	int rc, found = 0;

	if (!s || db_bind(s, "ss", symbol_key(name, w->a), name))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		found = 1;
	if (rc < 0)
		return -1;
	return found;
}

/* Adds a reason if files still use a name that is gone. */
static int check_removed_name(struct changes_context *w, const struct located_symbol *f,
    const struct map *none, struct err *e)
{
	struct name_mentions m;

	if (name_mentions_find(w->r, f->gone, false, none, &m, w->a, e))
		return -1;
	const char *files = m.files == 1 ? "file" : "files";
	if (m.files)
		changed_texts_add_reason(w,
		    arena_printf(w->a, "`%s` is %s and still named in %llu %s, e.g. %s", f->gone,
		        f->y.change, (unsigned long long)m.files, files, m.example));
	return 0;
}

/* Searches for uses of removed names: an index of the new state has no edges to them. */
static int check_removed_names(
    struct changes_context *w, const struct located_symbols *l, struct err *e)
{
	struct map *none = map_new();
	size_t checked = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < l->n && checked < REMOVED_NAMES_MAX; i++) {
		const struct located_symbol *f = &l->v[i];
		if (!f->gone)
			continue;
		int defined = is_defined(w, f->gone, e);
		if (defined < 0)
			rc = -1;
		if (defined)
			continue;
		checked++;
		rc = check_removed_name(w, f, none, e);
	}
	map_free(none);
	return rc;
}

static void add_limit_reasons(struct changes_context *w)
{
	if (w->diff.cut)
		changed_texts_add_reason(w,
		    arena_printf(w->a,
		        "the change is too large: only %zu of %zu files, and %d lines, were read",
		        w->diff.n, w->diff.total, DIFF_MAX_LINES));
	if (w->left_out)
		changed_texts_add_reason(
		    w, arena_printf(w->a, "%zu files were too many or too large to compare", w->left_out));
}

/* List the symbols of the page.  Without pages, those that were not measured are listed, too. */
static void put_page(struct changes_context *w, const struct changes_req *q,
    const struct located_symbols *l, const struct measured_symbols *m, struct changes_res *out)
{
	size_t end = m->from + MIN(l->n - m->from, q->limit);

	if (q->pages)
		end = m->end;
	out->symbols.v = arena_many(w->a, end - m->from, struct changed_symbol);
	for (size_t i = m->from; i < end; i++)
		out->symbols.v[out->symbols.n++] = l->v[i].y;
	out->total_symbols = l->n;
	if (q->pages && end < l->n)
		out->next = end;
}

static int report(
    struct changes_context *w, const struct changes_req *q, struct changes_res *out, struct err *e)
{
	struct located_symbols l = { 0 };
	struct measured_symbols m = { 0 };
	int rc = put_symbols(w, &l, e);

	if (!rc && l.n)
		qsort(l.v, l.n, sizeof *l.v, by_place);
	add_limit_reasons(w);
	m.from = MIN(q->from, l.n);
	m.end = m.from + MIN(l.n - m.from, q->limit);
	if (!rc)
		rc = measure_all(w, &l, out, e);
	if (!rc)
		rc = measure_each(w, &l, &m, e);
	if (!rc)
		rc = check_removed_names(w, &l, e);
	if (!rc) {
		add_measure_reasons(w, &l, &m);
		put_page(w, q, &l, &m, out);
		put_files(w, q->limit, out);
	}
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

	out->reasons.v = arena_many(a, CHANGED_TEXTS_REASONS, const char *);
	if (!w.repo || changed_texts_read_diff(&w, q, out, e))
		return -1;
	w.v = arena_many(a, w.diff.n, struct file_versions);
	int rc = changed_texts_read(&w, e);
	if (!rc) {
		changed_texts_read_definitions(&w);
		rc = report(&w, q, out, e);
	}
	for (size_t i = 0; i < w.diff.n; i++) {
		buf_free(&w.v[i].old_text);
		buf_free(&w.v[i].new_text);
	}
	return rc;
}
