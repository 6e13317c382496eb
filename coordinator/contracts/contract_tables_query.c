/* Pages of a group's tables, and counts of their rows. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/contract_tables_internal.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/record/json.h"

static int read_digest(
    struct db *db, const char *group, const char **digest, struct arena *a, struct err *e)
{
	struct tables_info head = { 0 };
	int rc = tables_read_head(db, group, &head, a, e);

	*digest = head.digest;
	return rc;
}

/* ---- filters as SQL ---- */

/*
 * The conditions of a filter, with the parameters 1 group, 2 what, 3 repository, 4 method, 5 path,
 * 6 list, 7 producer, 8 consumer, 9 reasons, 10 confidence; lists are JSON arrays.  A parameter
 * that is not given has no condition.
 */
#define AMONG(column, list) column " in (select value from json_each(" list "))"
#define END_FITS(end)                                                                              \
	"(" end "_repo is not null and (?3 is null or " end "_repo = ?3)"                              \
	" and (?5 is null or instr(" end "_path, ?5)))"
/* The method of a row: the call's own if the route takes any. */
#define METHOD_FITS \
	"(case when p_repo is null or (p_method = 'ANY' and c_repo is not null) then c_method" \
	" else p_method end collate nocase in (?4, 'ANY'))"

static void add_if(struct buf *sql, bool given, const char *condition)
{
	if (given)
		buf_str(sql, condition);
}

/* The text of the buffer, in the arena; frees the buffer. */
static const char *take_text(struct buf *b, struct arena *a)
{
	const char *s = arena_str(a, b->p);

	buf_free(b);
	return s;
}

static bool any(const t_strs *v)
{
	return v && v->n;
}

/* Whether the rows of contract_counts are enough for the filter. */
static bool is_counted(const struct table_filter *f)
{
	bool by_row = f->method || f->path || f->confidence > 0;

	return !f->links && !by_row;
}

/* The conditions that both tables of contracts have. */
static void add_contract_conditions(struct buf *sql, const struct table_filter *f)
{
	add_if(sql, any(f->what), " and " AMONG("kind", "?2"));
	add_if(sql, f->list, " and list = ?6");
	add_if(sql, f->producer, " and p_repo = ?7");
	add_if(sql, f->consumer, " and c_repo = ?8");
	add_if(sql, any(f->reasons), " and " AMONG("reason", "?9"));
	add_if(sql, f->crossing, " and list = 'contract' and p_repo <> c_repo");
}

static const char *count_conditions(const struct table_filter *f, struct arena *a)
{
	struct buf sql = { 0 };

	buf_str(&sql, " from contract_counts where grp = ?1");
	add_if(&sql, f->repo_uri, " and ?3 in (c_repo, p_repo)");
	add_contract_conditions(&sql, f);
	return take_text(&sql, a);
}

static const char *row_conditions(const struct table_filter *f, struct arena *a)
{
	struct buf sql = { 0 };

	if (f->links) {
		buf_str(&sql, " from links where grp = ?1");
		add_if(&sql, any(f->what), " and " AMONG("relation", "?2"));
		add_if(&sql, f->repo_uri, " and ?3 in (source, target)");
		add_if(&sql, f->producer, " and target = ?7");
		add_if(&sql, f->consumer, " and source = ?8");
	} else {
		buf_str(&sql, " from contracts where grp = ?1");
		add_if(&sql, f->repo_uri || f->path, " and (" END_FITS("p") " or " END_FITS("c") ")");
		add_if(&sql, f->method, " and " METHOD_FITS);
		add_contract_conditions(&sql, f);
	}
	add_if(&sql, f->confidence > 0, " and confidence >= ?10");
	return take_text(&sql, a);
}

static const char *json_list(const t_strs *v, struct arena *a)
{
	struct buf b = { 0 };

	if (!v)
		return NULL;
	buf_byte(&b, '[');
	for (size_t i = 0; i < v->n; i++) {
		if (i)
			buf_byte(&b, ',');
		json_quote(&b, v->v[i]);
	}
	buf_byte(&b, ']');
	return take_text(&b, a);
}

static struct stmt *query_from(struct db *db, const char *head, const char *from, const char *tail,
    const char *group, const struct table_filter *f, struct arena *a, struct err *e)
{
	const char *what = json_list(f->what, a), *reasons = json_list(f->reasons, a);
	/* naming the last parameter makes the statement have all ten */
	struct stmt *s = db_prep_once(
	    db, arena_printf(a, "%s%s and ?10 is ?10%s", head, from, tail), e);

	if (!s)
		return NULL;
	if (db_bind(s, "sssssssssf", group, what, f->repo_uri, f->method, f->path, f->list, f->producer,
	        f->consumer, reasons, f->confidence)) {
		db_finalize(s);
		return NULL;
	}
	return s;
}

/* `select` HEAD with the number of rows behind it, from contract_counts if that is enough. */
static struct stmt *query_counts(struct db *db, const char *head, const char *tail,
    const char *group, const struct table_filter *f, struct arena *a, struct err *e)
{
	if (is_counted(f))
		return query_from(db, arena_printf(a, "select %s, sum(n)", head), count_conditions(f, a),
		    tail, group, f, a, e);
	return query_from(db, arena_printf(a, "select %s, count(*)", head), row_conditions(f, a), tail,
	    group, f, a, e);
}

/* ---- pages ---- */

/* The total of the page that counts the rows of a list. */
static size_t *total_of(struct table_page *p, const char *list)
{
	switch (*list) {
	case 'c': return &p->contracts;
	case 'u': return &p->unresolved;
	default: return &p->idle;
	}
}

static int count_rows(struct db *db, const char *group, const struct table_filter *f,
    struct table_page *out, struct arena *a, struct err *e)
{
	const char *head = "list", *tail = " group by list";
	int rc;

	if (f->links) {
		head = "'contract'";
		tail = "";
	}
	struct stmt *s = query_counts(db, head, tail, group, f, a, e);
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*total_of(out, db_str(s, 0)) = (size_t)db_int(s, 1);
	db_finalize(s);
	return rc;
}

static int read_rows(struct db *db, const char *group, const struct table_filter *f,
    struct table_page *out, struct arena *a, struct err *e)
{
	const char *head = "select list, kind, row, seq";
	size_t max = out->contracts + out->unresolved + out->idle;
	int rc;

	if (f->links)
		head = "select '', relation, row, seq";
	if (f->limit)
		max = MIN(f->limit, max);
	const char *tail = arena_printf(a, " and seq >= %zu order by seq limit %zu", f->from, max);
	struct stmt *s = query_from(db, head, row_conditions(f, a), tail, group, f, a, e);
	if (!s)
		return -1;
	out->rows.v = arena_many(a, max, struct table_row);
	while ((rc = db_step(s, e)) == 1)
		out->rows.v[out->rows.n++] = (struct table_row){
			.list = arena_str(a, db_str(s, 0)),
			.what = arena_str(a, db_str(s, 1)),
			.row = tables_blob_column(s, 2, a),
			.seq = (size_t)db_int(s, 3),
		};
	db_finalize(s);
	return rc;
}

int tables_page(struct registry *r, const char *group, const struct table_filter *f,
    struct table_page *out, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	*out = (struct table_page){ 0 };
	if (!db)
		return -1;
	int rc = read_digest(db, group, &out->digest, a, e);
	if (!rc)
		rc = count_rows(db, group, f, out, a, e);
	if (!rc)
		rc = read_rows(db, group, f, out, a, e);
	return registry_snapshot_end(r, rc);
}

/* ---- counts ---- */

/* A copy of the text; the previous row's copy if it is the same text. */
static const char *reuse_text(const char *last, const char *s, struct arena *a)
{
	if (last && !strcmp(last, s))
		return last;
	return arena_str(a, s);
}

static void *copy_array(const void *v, size_t n, size_t size, struct arena *a)
{
	if (n)
		return memcpy(arena_get(a, n, size), v, n * size);
	return NULL;
}

static int read_pairs(struct db *db, const char *group, const struct table_filter *f,
    struct table_matrix *out, struct arena *a, struct err *e)
{
	const char *head = "c_repo, p_repo, kind",
	           *tail = " and list = 'contract' group by c_repo, p_repo, kind"
	                   " order by c_repo, p_repo, kind";
	struct { struct contract_pair *v; size_t n, cap; } pairs = { 0 };
	struct contract_pair last = { 0 };
	int rc;

	if (f->links) {
		head = "source, target, relation";
		tail = " group by source, target, relation order by source, target, relation";
	}
	struct stmt *s = query_counts(db, head, tail, group, f, a, e);
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		last = (struct contract_pair){
			.consumer = reuse_text(last.consumer, db_str(s, 0), a),
			.producer = arena_str(a, db_str(s, 1)),
			.kind = reuse_text(last.kind, db_str(s, 2), a),
			.calls = (uint64_t)db_int(s, 3),
		};
		pairs.v = grow(pairs.v, &pairs.cap, pairs.n + 1, sizeof *pairs.v);
		pairs.v[pairs.n++] = last;
	}
	out->pairs = copy_array(pairs.v, pairs.n, sizeof *pairs.v, a);
	out->npairs = pairs.n;
	free(pairs.v);
	db_finalize(s);
	return rc;
}

static int read_reasons(struct db *db, const char *group, const struct table_filter *f,
    struct table_matrix *out, struct arena *a, struct err *e)
{
	struct stmt *s = query_counts(db, "c_repo, reason",
	    " and list = 'unresolved' group by c_repo, reason order by c_repo, reason", group, f, a, e);
	struct { struct unresolved_count *v; size_t n, cap; } reasons = { 0 };
	struct unresolved_count last = { 0 };
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		last = (struct unresolved_count){
			.consumer = reuse_text(last.consumer, db_str(s, 0), a),
			.reason = arena_str(a, db_str(s, 1)),
			.calls = (uint64_t)db_int(s, 2),
		};
		reasons.v = grow(reasons.v, &reasons.cap, reasons.n + 1, sizeof *reasons.v);
		reasons.v[reasons.n++] = last;
	}
	out->reasons = copy_array(reasons.v, reasons.n, sizeof *reasons.v, a);
	out->nreasons = reasons.n;
	free(reasons.v);
	db_finalize(s);
	return rc;
}

int tables_matrix(struct registry *r, const char *group, const struct table_filter *f,
    struct table_matrix *out, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	*out = (struct table_matrix){ 0 };
	if (!db)
		return -1;
	int rc = read_digest(db, group, &out->digest, a, e);
	if (!rc)
		rc = read_pairs(db, group, f, out, a, e);
	if (!rc)
		rc = read_reasons(db, group, f, out, a, e);
	return registry_snapshot_end(r, rc);
}

int tables_link_pairs(struct registry *r, const char *group, const struct table_filter *f,
    struct table_matrix *out, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	*out = (struct table_matrix){ 0 };
	if (!db)
		return -1;
	int rc = read_digest(db, group, &out->digest, a, e);
	if (!rc)
		rc = read_pairs(db, group, f, out, a, e);
	return registry_snapshot_end(r, rc);
}

/* ---- all groups ---- */

/* The name of a group, if it is one of those that are counted by themselves. */
#define TALLIED_GROUP                                                                              \
	"case when grp in (select name from groups order by name limit 100) then grp else '' end"

static const char *bin_name(int64_t bin, struct arena *a)
{
	if (bin >= 10)
		return "1.0";
	if (bin < 5)
		return "0.0-0.5";
	return arena_printf(
	    a, "0.%d-%s", (int)bin, bin == 9 ? "1.0" : arena_printf(a, "0.%d", (int)bin + 1));
}

static int tally(struct db *db, const char *sql, bool bins, struct tables_tally **v, size_t *n,
    struct arena *a, struct err *e)
{
	struct {
		struct tables_tally *v;
		size_t n, cap;
	} rows = { 0 };
	struct stmt *s = db_prep(db, sql, e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		const char *what = NULL;
		if (bins)
			what = bin_name(db_int(s, 1), a);
		else
			what = arena_str(a, db_str(s, 1));
		rows.v = grow(rows.v, &rows.cap, rows.n + 1, sizeof *rows.v);
		rows.v[rows.n++] = (struct tables_tally){ arena_str(a, db_str(s, 0)), what,
			(uint64_t)db_int(s, 2) };
	}
	*v = copy_array(rows.v, rows.n, sizeof *rows.v, a);
	*n = rows.n;
	free(rows.v);
	return rc;
}

int tables_tally(struct registry *r, struct tables_tallies *t, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	*t = (struct tables_tallies){ 0 };
	if (!db)
		return -1;
	int rc = tally(db,
	    "select " TALLIED_GROUP ", bin, sum(n) from link_bins group by 1, 2 order by 1, 2", true,
	    &t->links, &t->nlinks, a, e);
	if (!rc)
		rc = tally(db,
		    "select " TALLIED_GROUP ", reason, sum(n) from contract_counts"
		    " where list = 'unresolved' group by 1, 2 order by 1, 2",
		    false, &t->reasons, &t->nreasons, a, e);
	return registry_snapshot_end(r, rc);
}
