/*
 * grep: every line that a pattern matches, or that a query asks for.  Each shard counts all of its
 * lines and sends some rows; the page is cut out of the lists of all shards, one after the other, so
 * a shard of which the page needs more rows is asked a second time.
 */
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/partial_answers.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/members/members.h"
#include "coordinator/members/term_statistics.h"
#include "coordinator/search/search_filters.h"
#include "coordinator/tools/grep_counts.h"
#include "coordinator/tools/grep_query.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/query/search_query.h"
#include "proto/text/path_filter.h"

enum {
	FIRST_ROWS = 20000, /* that all shards together send at once */
	FIRST_ROWS_MIN = 10, /* that each may send in any case */
	REASONS = 40
};

/* A member's part: rows `from` to `from + n` of its list belong to the page. */
struct grep_part {
	struct member *member;
	struct grep_req req;
	const struct grep_res *counted, *rows;
	uint64_t from, n;
};

struct grep_call {
	struct grep_part *v;
	size_t n;
	size_t first; /* the member with which the page begins, */
	uint64_t offset; /* and its rows before the page */
	struct fanout *asked, *again;
	size_t *asked_at, nasked; /* the members that may have a match */
	size_t *again_at; /* the members that were asked again */
	const char *list; /* what the cursor is for */
	bool by_file; /* rows are files */
	enum rpc_id rpc;
	const struct search_query *query; /* NULL: a pattern is searched */
	struct grep_patterns compiled; /* of either */
};

/* ---- arguments ---- */

/* Whether pattern or query and globs can be read: a shard would refuse them, too. */
static int check(struct call *c, const struct grep_in *in, struct grep_call *x)
{
	if (grep_query_read(c, in, &x->compiled))
		return -1;
	if (in->query)
		x->query = x->compiled.query;
	if (!path_filter_new(&in->glob, c->a, &c->e))
		return -1;
	return 0;
}

static int find_members(struct call *c, const struct grep_in *in, const struct search_query *q,
    struct resolved_repos *p)
{
	int rc;

	if (in->group)
		rc = resolve_group_members(c, in->group, p);
	else
		rc = resolve_scope(c, in->scope, in->repo, in->repo_uri, p);
	if (!rc)
		rc = resolve_named(c, &in->repos, p);
	if (!rc)
		rc = filter_languages(c, p->v, p->n, &in->languages);
	if (!rc && q)
		rc = grep_query_check_languages(c, q, p);
	return rc;
}

static struct grep_req request(const struct grep_in *in, bool by_file)
{
	return (struct grep_req){ .pattern = in->pattern,
		.fixed = in->fixed_strings,
		.ignore_case = in->ignore_case,
		.word = in->word,
		.multiline = in->multiline,
		.globs = in->glob,
		.languages = in->languages,
		.path_prefix = filter_prefix(in->path_prefix),
		.by_file = by_file,
		.context = in->context };
}

/* The rows of a page; a count has none. */
static uint64_t page_rows(const struct grep_in *in)
{
	if (!strcmp(in->output_mode, "count"))
		return 0;
	return in->limit;
}

/* ---- the answer ---- */

static void put_line(
    struct call *c, const struct member *m, const struct grep_line *x, struct grep_match *out)
{
	*out = (struct grep_match){ .repo = resolve_handle(c, m),
		.repo_uri = m->repo_uri,
		.path = x->path,
		.line = x->line,
		.column = x->column,
		.length = x->length,
		.offset = x->offset,
		.text = x->text,
		.text_column = x->text_column,
		.before = x->before,
		.after = x->after,
		.symbol = x->symbol };
	out->more.v = x->more.v;
	out->more.n = x->more.n;
	out->replaced.v = x->replaced.v;
	out->replaced.n = x->replaced.n;
}

static void put_file(
    struct call *c, const struct member *m, const struct grep_file *x, struct grep_file_row *out)
{
	*out = (struct grep_file_row){ resolve_handle(c, m), m->repo_uri, x->path, x->matches };
}

/* How many rows a member has sent. */
static size_t sent(const struct grep_call *x, const struct grep_part *p)
{
	return x->by_file ? p->rows->files.n : p->rows->lines.n;
}

/* Copy the rows that are here, up to those that the page wants; true if none is missing. */
static bool put_rows(struct call *c, const struct grep_call *x, const struct grep_part *p)
{
	struct grep_out *out = c->out;
	size_t n = MIN(sent(x, p), p->n);

	for (size_t i = 0; i < n && !x->by_file; i++)
		put_line(c, p->member, &p->rows->lines.v[i], &out->matches.v[out->matches.n++]);
	for (size_t i = 0; i < n && x->by_file; i++)
		put_file(c, p->member, &p->rows->files.v[i], &out->files.v[out->files.n++]);
	return n == p->n;
}

static void add_left_out(struct call *c, struct map *known, const struct grep_part *p)
{
	struct coverage *cov = ((struct grep_out *)c->out)->coverage;

	for (size_t i = 0; i < p->counted->left_out.n; i++) {
		const struct left_out_files *x = &p->counted->left_out.v[i];
		void **at = map_at(known, x->reason);
		if (!*at && cov->left_out.n == REASONS)
			continue;
		if (!*at) {
			*at = &cov->left_out.v[cov->left_out.n++];
			*(struct left_out_files *)*at = *x;
			continue;
		}
		struct left_out_files *sum = *at;
		sum->files += x->files;
		sum->bytes += x->bytes;
	}
}

static void note_stopped(struct call *c, const struct grep_part *p)
{
	struct grep_out *out = c->out;
	struct coverage *cov = out->coverage;

	out->complete = false;
	cov->notes.v[cov->notes.n++] = (struct member_note){ p->member->repo_uri, "DEADLINE",
		"the deadline came before all of its files were searched: give the pattern more letters in a"
		" row, or search fewer files with `glob`" };
}

/* ---- counts by repository and language ---- */

static void put_counts(struct call *c, const struct grep_call *x)
{
	struct grep_repo *repos = arena_many(c->a, x->n + 1, struct grep_repo);
	const struct grep_res **answers = arena_many(c->a, x->n + 1, const struct grep_res *);

	for (size_t i = 0; i < x->n; i++) {
		const struct member *m = x->v[i].member;
		const struct grep_res *r = x->v[i].counted;
		repos[i] = (struct grep_repo){ resolve_handle(c, m), m->repo_uri, r->total,
			r->files_total };
		answers[i] = r;
	}
	grep_counts_by_repo(c->out, repos, x->n);
	grep_counts_by_language(c->out, answers, x->n, c->a);
}

/* ---- who answered ---- */

static void put_coverage(struct call *c, struct grep_call *x)
{
	struct grep_out *out = c->out;
	struct map *known = map_new();

	out->complete = fanout_coverage(
	    c, (struct fanout *[]){ x->asked, x->again }, 2, &out->coverage);
	out->coverage->skipped = x->n - x->nasked;
	out->coverage->members += out->coverage->skipped;
	out->coverage->left_out.v = arena_many(c->a, REASONS, struct left_out_files);
	out->coverage->notes.v = arena_many(c->a, x->n + 1, struct member_note);
	for (size_t i = 0; i < x->n; i++) {
		out->total += x->v[i].counted->total;
		out->files_total += x->v[i].counted->files_total;
		add_left_out(c, known, &x->v[i]);
		if (x->v[i].counted->stopped)
			note_stopped(c, &x->v[i]);
	}
	map_free(known);
}

static uint64_t rows_of(const struct grep_call *x, const struct grep_res *r)
{
	return x->by_file ? r->files_total : r->total;
}

/* A cursor for the row behind the page, if there is one. */
static void put_cursor(struct call *c, const struct grep_call *x, uint64_t shown)
{
	struct grep_out *out = c->out;

	for (size_t i = x->first; i < x->n && shown; i++) {
		const struct grep_part *p = &x->v[i];
		uint64_t at = p->from + p->n;
		if (at >= rows_of(x, p->counted))
			continue;
		out->next_cursor = cursor_make_with_numbers(
		    x->list, 1, 0, (uint32_t[]){ (uint32_t)i, (uint32_t)at }, 2, c->a);
		return;
	}
}

static void finish(struct call *c, struct grep_call *x)
{
	struct grep_out *out = c->out;
	uint64_t limit = page_rows(c->in);

	out->matches.v = arena_many(c->a, limit + 1, struct grep_match);
	out->files.v = arena_many(c->a, limit + 1, struct grep_file_row);
	put_coverage(c, x);
	put_counts(c, x);
	for (size_t i = x->first; i < x->n; i++) {
		struct grep_part *p = &x->v[i];
		if (put_rows(c, x, p))
			continue;
		p->n = sent(x, p); /* its shard failed the second time */
		break;
	}
	put_cursor(c, x, out->matches.n + out->files.n);
	out->took_ms = view_elapsed_ms(c);
	call_end(c);
}

/* ---- asking ---- */

static void with_rows(struct call *c, struct fanout *f)
{
	struct grep_call *x = c->state;

	x->again = f;
	for (size_t i = 0; i < f->n; i++)
		if (!f->v[i].e.code)
			x->v[x->again_at[i]].rows = f->v[i].res;
	finish(c, x);
}

/* Ask those for the rest of whose rows the page has room. */
static void ask_again(struct call *c, struct grep_call *x)
{
	struct member **m = arena_many(c->a, x->n + 1, struct member *);
	const void **reqs = arena_many(c->a, x->n + 1, const void *);
	size_t n = 0;

	x->again_at = arena_many(c->a, x->n + 1, size_t);
	for (size_t i = 0; i < x->n; i++) {
		struct grep_part *p = &x->v[i];
		if (sent(x, p) >= p->n)
			continue;
		p->req.offset = p->from;
		p->req.limit = p->n;
		p->req.page_only = true;
		m[n] = p->member;
		reqs[n] = &p->req;
		x->again_at[n++] = i;
	}
	if (n)
		fanout(c, m, n, x->rpc, NULL, reqs, (int)c->o->search_deadline_ms, with_rows);
	else
		finish(c, x);
}

/* Which rows of each member belong to the page. */
static void cut_page(struct call *c, struct grep_call *x)
{
	uint64_t left = page_rows(c->in);

	for (size_t i = x->first; i < x->n; i++) {
		struct grep_part *p = &x->v[i];
		uint64_t rows = rows_of(x, p->counted);
		p->from = i == x->first ? x->offset : 0;
		p->n = MIN(left, rows > p->from ? rows - p->from : 0);
		left -= p->n;
	}
}

/*
 * The list that the cursor is for: it changes when a member with rows gets a new index.  Others may be
 * asked for one page and, because of their sketches, not for the next.
 */
static const char *list_of(struct call *c, const struct grep_call *x, const struct fanout *f)
{
	struct buf b = { 0 };

	buf_str(&b, "");
	for (size_t i = 0; i < f->n; i++) {
		const struct freshness *stamp = f->v[i].stamp;
		if (stamp && rows_of(x, f->v[i].res))
			buf_printf(&b, "%s %s ", f->v[i].member->repo_uri, text_or_empty(stamp->commit));
	}
	const char *list = cursor_fingerprint(c->tool->in, c->in, b.p, c->a);
	buf_free(&b);
	return list;
}

static void with_counts(struct call *c, struct fanout *f)
{
	const struct grep_in *in = c->in;
	struct grep_call *x = c->state;
	size_t offset;

	x->asked = f;
	x->list = list_of(c, x, f);
	if (cursor_read(in->cursor, x->list, &offset, &c->e)) {
		call_end(c);
		return;
	}
	for (size_t i = 0; i < f->n; i++) {
		struct grep_part *p = &x->v[x->asked_at[i]];
		p->counted = p->rows = f->v[i].res;
	}
	cut_page(c, x);
	ask_again(c, x);
}

/* No sketch has the trigrams of files that cannot be read, so the answer may lack something. */
static void skip(struct call *c, const struct member *m)
{
	struct member_view v;

	if (!members_lacks_something(c->members, m))
		return;
	members_view(c->members, m, &v, c->a);
	partial_note(c, m, v.stamp, RPC_grep);
}

/* Leave out the members whose texts cannot match, by what their sketches say. */
static void choose_asked(struct call *c, struct grep_call *x)
{
	struct member **m = arena_many(c->a, x->n + 1, struct member *);
	uint64_t *settled = arena_many(c->a, x->n + 1, uint64_t);

	for (size_t i = 0; i < x->n; i++)
		m[i] = x->v[i].member;
	members_known_generations(c->members, m, x->n, settled);
	x->asked_at = arena_many(c->a, x->n + 1, size_t);
	for (size_t i = 0; i < x->n; i++) {
		if (grep_query_rules_out(c, &x->compiled, m[i], settled[i]))
			skip(c, m[i]);
		else
			x->asked_at[x->nasked++] = i;
	}
}

static void ask(struct call *c)
{
	const struct grep_in *in = c->in;
	struct grep_call *x = c->state;
	struct member **m = arena_many(c->a, x->nasked + 1, struct member *);
	const void **reqs = arena_many(c->a, x->nasked + 1, const void *);
	uint64_t each = MAX(FIRST_ROWS / MAX(x->nasked, 1), FIRST_ROWS_MIN);

	for (size_t k = 0; k < x->nasked; k++) {
		size_t i = x->asked_at[k];
		struct grep_part *p = &x->v[i];
		if (i >= x->first)
			p->req.limit = MIN(page_rows(in), each);
		if (i == x->first)
			p->req.offset = x->offset;
		m[k] = p->member;
		reqs[k] = &p->req;
	}
	fanout(c, m, x->nasked, x->rpc, NULL, reqs, (int)c->o->search_deadline_ms, with_counts);
}

/* The members that may have matches, and what each is asked for.  -1 if `repo:` leaves none. */
static int put_parts(
    struct call *c, struct grep_call *x, const struct grep_in *in, const struct resolved_repos *p)
{
	static const struct grep_res none;

	x->v = arena_many(c->a, p->n + 1, struct grep_part);
	for (size_t i = 0; i < p->n; i++) {
		struct grep_part *part = &x->v[x->n];
		*part = (struct grep_part){ .member = p->v[i], .counted = &none, .rows = &none };
		part->req = request(in, x->by_file);
		if (x->query)
			part->req.query = grep_query_for(c, x->query, p->v[i]);
		if (!x->query || part->req.query)
			x->n++;
	}
	if (x->n || !p->n)
		return 0;
	return err_set(&c->e, ERR_INVALID_INPUT,
	    "query: its repo: filters leave none of the %zu repositories; list_repos shows their names",
	    p->n);
}

void tool_grep(struct call *c)
{
	const struct grep_in *in = c->in;
	struct grep_call *x = arena_one(c->a, struct grep_call);
	uint32_t start[2] = { 0 };
	struct resolved_repos members;

	if (check(c, in, x) || find_members(c, in, x->query, &members)) {
		grep_query_free(&x->compiled);
		call_end(c);
		return;
	}
	if (in->cursor)
		cursor_numbers(in->cursor, start, 2);
	x->first = start[0];
	x->offset = start[1];
	x->rpc = x->query ? RPC_grep_query : RPC_grep;
	x->by_file = !strcmp(in->output_mode, "files");
	if (x->query && !search_query_has_lines(x->query))
		x->by_file = true;
	int rc = put_parts(c, x, in, &members);
	if (!rc)
		choose_asked(c, x);
	grep_query_free(&x->compiled);
	if (rc) {
		call_end(c);
		return;
	}
	c->state = x;
	fanout_enter(c, x->nasked, c->start_ms + c->o->search_deadline_ms, ask);
}
