/*
 * grep: every line with a match of a pattern, or that a query asks for, in all text files of the
 * commit.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "proto/query/search_query.h"
#include "proto/text/path_filter.h"
#include "shard/base/text_lines.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/trigrams/file_query.h"
#include "shard/trigrams/matching_lines.h"
#include "shard/trigrams/text_rows.h"

enum {
	ROWS_MAX = 10000, /* of a page */
	LINE_BYTES_MAX = 2000, /* of a line that is shown */
	BEFORE_MATCH = 500, /* of them before the match, if the line is longer */
	CONTEXT_MAX = 10,
	LANGUAGES_MAX = 500,
	REPLACEMENT_BYTES = 3
};

#define REPLACEMENT "\xef\xbf\xbd" /* what text_utf8 puts for a byte that is not UTF-8 */

struct search {
	const struct grep_req *q;
	struct index_reader *r;
	struct path_filter *paths;
	struct file_query *query;
	struct searched_file file; /* the current one */
	bool by_file; /* rows are files */
	struct grep_res *out;
	struct map *languages; /* to their rows in out->by_language */
	struct arena *a; /* of the answer */
};

/* ---- which files ---- */

static bool has_language(const struct strs *languages, const char *language)
{
	if (!languages->n)
		return true;
	for (size_t i = 0; language && i < languages->n; i++)
		if (!strcmp(languages->v[i], language))
			return true;
	return false;
}

static bool wants_path(const struct search *w, const char *path)
{
	const char *prefix = text_or_empty(w->q->path_prefix);

	return !strncmp(path, prefix, strlen(prefix)) && path_filter_wants(w->paths, path);
}

static bool wants(void *arg, const char *path, const char *language)
{
	const struct search *w = arg;

	return has_language(&w->q->languages, language) && wants_path(w, path) &&
	    file_query_may_match(w->query, path, language, false);
}

static bool must_stop(void *arg)
{
	const struct search *w = arg;

	return db_must_stop(w->r->db);
}

/* ---- rows ---- */

/* The part of a line that is shown. */
struct shown_part {
	const char *p;
	size_t n;
	uint64_t column; /* where it begins in the line; 0: it is the whole line */
};

static struct shown_part cut_line(const char *text, size_t n, size_t match)
{
	size_t from = 0;

	if (n && text[n - 1] == '\r')
		n--;
	if (n > LINE_BYTES_MAX && match > BEFORE_MATCH) {
		from = match - BEFORE_MATCH;
		while (from && (text[from] & 0xc0) == 0x80)
			from--;
	}
	size_t shown = n - from;
	if (shown > LINE_BYTES_MAX)
		shown = text_utf8_prefix(text + from, LINE_BYTES_MAX);
	bool is_cut = from || shown < n;
	return (struct shown_part){ text + from, shown, is_cut ? from + 1 : 0 };
}

static const char *context_line(struct search *w, const char *text, size_t n)
{
	const struct shown_part part = cut_line(text, n, 0);

	return text_utf8(part.p, part.n, w->a);
}

static const char *line_before(const char *begin, const char *text)
{
	const char *newline = memrchr(begin, '\n', (size_t)(text - 1 - begin));

	if (!newline)
		return begin;
	return newline + 1;
}

static void put_before(struct search *w, const char *begin, const char *line, struct strs *out)
{
	const char *at[CONTEXT_MAX + 1] = { line };

	out->v = arena_many(w->a, w->q->context, const char *);
	while (out->n < w->q->context && at[out->n] > begin) {
		at[out->n + 1] = line_before(begin, at[out->n]);
		out->n++;
	}
	for (size_t i = 0; i < out->n; i++)
		out->v[out->n - 1 - i] = context_line(w, at[i + 1], (size_t)(at[i] - 1 - at[i + 1]));
}

static void put_after(struct search *w, const char *line_end, const char *end, struct strs *out)
{
	out->v = arena_many(w->a, w->q->context, const char *);
	while (out->n < w->q->context && line_end + 1 < end) {
		const char *line = line_end + 1;
		line_end = memchr(line, '\n', (size_t)(end - line));
		if (!line_end)
			line_end = end;
		out->v[out->n++] = context_line(w, line, (size_t)(line_end - line));
	}
}

static void put_more(struct search *w, const struct matching_line *x, struct grep_line *row)
{
	struct line_span spans[LINE_SPANS_MAX];

	row->more.n = file_query_more(w->query, x, spans);
	row->more.v = arena_many(w->a, row->more.n + 1, struct grep_span);
	for (size_t i = 0; i < row->more.n; i++)
		row->more.v[i] = (struct grep_span){ spans[i].match + 1, spans[i].length };
}

/* Add the byte of the line at `column` to the last run, or as a new one. */
static void add_replaced(struct grep_line *row, uint64_t column)
{
	struct grep_span *last = row->replaced.n ? &row->replaced.v[row->replaced.n - 1] : NULL;

	if (last && last->column + last->length == column)
		last->length++;
	else
		row->replaced.v[row->replaced.n++] = (struct grep_span){ column, 1 };
}

/* How many bytes at `text` are shown as they are; 0: the first is replaced. */
static size_t shown_bytes(const char *text, size_t n, const char *shown)
{
	if (strncmp(shown, REPLACEMENT, REPLACEMENT_BYTES))
		return 1;
	if (n >= REPLACEMENT_BYTES && !memcmp(text, REPLACEMENT, REPLACEMENT_BYTES))
		return REPLACEMENT_BYTES;
	return 0;
}

/* Which bytes of the part are not as they are in row->text. */
static void put_replaced(struct search *w, const struct shown_part *part, struct grep_line *row)
{
	uint64_t first = MAX(part->column, 1);
	size_t added = strlen(row->text) - part->n;
	size_t replaced = added / (REPLACEMENT_BYTES - 1);
	const char *shown = row->text;

	if (!replaced)
		return;
	row->replaced.v = arena_many(w->a, replaced, struct grep_span);
	for (size_t i = 0; i < part->n;) {
		size_t same = shown_bytes(part->p + i, part->n - i, shown);
		if (!same) {
			add_replaced(row, first + i++);
			shown += REPLACEMENT_BYTES;
		}
		shown += same;
		i += same;
	}
}

static void add_line(struct search *w, const struct matching_line *x)
{
	struct grep_line *row = &w->out->lines.v[w->out->lines.n++];
	const struct searched_file *file = &w->file;
	const struct shown_part part = cut_line(x->text, x->n, x->match);

	*row = (struct grep_line){ .path = file->path,
		.line = x->line,
		.column = x->match + 1,
		.length = x->length,
		.offset = file->mark + (size_t)(x->text - file->text),
		.text = text_utf8(part.p, part.n, w->a),
		.text_column = part.column };
	put_replaced(w, &part, row);
	put_more(w, x, row);
	if (!w->q->context)
		return;
	put_before(w, file->text, x->text, &row->before);
	put_after(w, x->text + x->n, file->text + file->n, &row->after);
}

/* Whether row number `row`, from 0, belongs to the page. */
static bool is_shown(const struct grep_req *q, uint64_t row)
{
	return row >= q->offset && row - q->offset < q->limit;
}

static void take_line(struct search *w, const struct matching_line *x)
{
	uint64_t row = w->out->total++;

	if (!w->by_file && is_shown(w->q, row))
		add_line(w, x);
}

static void count_language(struct search *w, const char *language, uint64_t matches)
{
	struct grep_res *out = w->out;
	void **at = map_at(w->languages, text_or_empty(language));

	if (!*at && out->by_language.n == LANGUAGES_MAX)
		return;
	if (!*at) {
		*at = &out->by_language.v[out->by_language.n++];
		*(struct grep_language *)*at = (struct grep_language){ .language = language };
	}
	struct grep_language *x = *at;
	x->lines += matches;
	x->files++;
}

static void take_file(struct search *w, uint64_t matches)
{
	uint64_t row = w->out->files_total++;

	if (w->by_file && is_shown(w->q, row))
		w->out->files.v[w->out->files.n++] = (struct grep_file){ w->file.path, matches };
	count_language(w, w->file.language, matches);
}

/* Whether what follows is of no interest. */
static bool is_full(const struct search *w)
{
	return w->q->page_only && w->out->lines.n + w->out->files.n == w->q->limit;
}

/* 0, 1 if it was stopped, -1 with `e`. */
static int search_text(
    struct search *w, const struct stored_text *t, struct arena *scratch, struct err *e)
{
	uint64_t before = w->out->total;
	struct matching_line x;
	size_t n;
	const char *text = text_rows_read(w->r->db, t->id, scratch, &n, e);

	if (!text)
		return -1;
	size_t mark = text_mark(text, n);
	w->file = (struct searched_file){
		.path = t->path, .language = t->language, .text = text + mark, .n = n - mark, .mark = mark
	};
	int rc = file_query_begin(w->query, &w->file);
	if (rc <= 0)
		return rc < 0;
	while (!is_full(w) && (rc = file_query_next_line(w->query, &x)) == 1)
		take_line(w, &x);
	take_file(w, w->out->total - before);
	return rc < 0;
}

static int search_texts(struct search *w, const struct text_rows *rows, struct err *e)
{
	struct arena *scratch = arena_new();
	int rc = 0;

	for (size_t i = 0; !rc && i < rows->n && !is_full(w); i++) {
		rc = db_must_stop(w->r->db);
		if (!rc)
			rc = search_text(w, &rows->v[i], scratch, e);
		arena_reset(scratch);
	}
	arena_free(scratch);
	w->out->stopped = rc > 0;
	return MIN(rc, 0);
}

/* ---- the definitions around lines ---- */

/* Set the innermost definition around each of `n` lines of one file. */
static int put_symbols(struct search *w, struct grep_line *v, size_t n, struct err *e)
{
	struct stmt *s = db_prep(w->r->db,
	    "select s.qualified, s.start_line, s.end_line from files f join symbols s on s.file = f.id"
	    " where f.path = ? order by s.end_line - s.start_line desc, s.start_byte",
	    e);
	int rc = -1;

	if (!s || db_bind(s, "S", v->path))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		for (size_t i = 0; i < n; i++)
			if ((int64_t)v[i].line >= db_int(s, 1) && (int64_t)v[i].line <= db_int(s, 2))
				v[i].symbol = db_copy_text(s, 0, w->a);
	return rc;
}

static int put_all_symbols(struct search *w, struct err *e)
{
	struct grep_line *v = w->out->lines.v;
	size_t n = w->out->lines.n;

	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		while (end < n && !strcmp(v[end].path, v[i].path))
			end++;
		if (put_symbols(w, v + i, end - i, e))
			return -1;
	}
	return 0;
}

/* ---- files without a text ---- */

static void count_left_out(struct search *w, struct map *known, struct stmt *s)
{
	struct grep_res *out = w->out;
	void **at = map_at(known, db_str(s, 1));

	if (!*at) {
		out->left_out.v[out->left_out.n] = (struct left_out_files){
			.reason = db_copy_text(s, 1, w->a), .example = db_copy_text(s, 0, w->a)
		};
		*at = &out->left_out.v[out->left_out.n++];
	}
	struct left_out_files *x = *at;
	x->files++;
	x->bytes += (uint64_t)db_int(s, 2);
}

static int put_left_out(struct search *w, struct err *e)
{
	enum { REASONS = 40 };
	struct stmt *s = db_prep(w->r->db, "select path, reason, bytes from no_texts order by path", e);
	struct map *known = map_new();
	int rc = -1;

	w->out->left_out.v = arena_many(w->a, REASONS, struct left_out_files);
	while (s && (rc = db_step(s, e)) == 1)
		if (wants_path(w, db_str(s, 0)) &&
		    file_query_may_match(w->query, db_str(s, 0), NULL, true) && map_len(known) < REASONS)
			count_left_out(w, known, s);
	map_free(known);
	return rc;
}

/* ---- the request ---- */

static int check(const struct grep_req *q, struct index_reader *r, struct err *e)
{
	if (!text_rows_exist(r->db))
		return err_set(e, ERR_NO_INDEX,
		    "its index was made by an older program and has no texts to search: it is being rebuilt");
	if (q->limit > ROWS_MAX)
		return err_set(e, ERR_INVALID_INPUT, "`limit`: %llu; at most %d rows",
		    (unsigned long long)q->limit, ROWS_MAX);
	if (q->context > CONTEXT_MAX)
		return err_set(e, ERR_INVALID_INPUT, "`context`: %llu; at most %d lines",
		    (unsigned long long)q->context, CONTEXT_MAX);
	return 0;
}

static int run(struct search *w, struct err *e)
{
	struct text_rows rows;
	int rc = file_query_find_definitions(w->query, w->r->db, e);

	w->out->stopped = rc > 0;
	if (rc)
		return MIN(rc, 0);
	if (text_rows_find(w->r->db, file_query_grams(w->query), wants, w, w->a, &rows, e))
		return -1;
	if (search_texts(w, &rows, e))
		return -1;
	if (put_all_symbols(w, e))
		return -1;
	return put_left_out(w, e);
}

static const struct search_query *read_query(
    const struct grep_req *q, struct arena *a, struct err *e)
{
	if (!q->pattern == !q->query) {
		err_set(e, ERR_INVALID_INPUT, "`pattern`: give it or `query`, one of the two");
		return NULL;
	}
	if (q->query)
		return search_query_parse(q->query, a, e);
	return search_query_of_pattern(q->pattern, q->fixed, q->ignore_case, a);
}

int rpc_grep(struct shard *s, struct index_reader *r, const struct grep_req *q,
    struct grep_res *out, struct arena *a, struct err *e)
{
	struct search w = { .q = q, .r = r, .out = out, .a = a };
	const struct query_options how = { .word = q->word, .multiline = q->multiline };

	(void)s;
	if (check(q, r, e))
		return -1;
	w.paths = path_filter_new(&q->globs, a, e);
	if (!w.paths)
		return -1;
	const struct search_query *query = read_query(q, a, e);
	if (!query)
		return -1;
	w.by_file = q->by_file || !search_query_has_lines(query);
	w.query = file_query_new(query, &how, must_stop, &w, e);
	if (!w.query)
		return -1;
	out->lines.v = arena_many(a, q->limit + 1, struct grep_line);
	out->files.v = arena_many(a, q->limit + 1, struct grep_file);
	out->by_language.v = arena_many(a, LANGUAGES_MAX, struct grep_language);
	w.languages = map_new();
	int rc = run(&w, e);
	file_query_free(w.query);
	map_free(w.languages);
	return rc;
}

/* The same, under a name of its own: older shards know no queries and are not asked. */
int rpc_grep_query(struct shard *s, struct index_reader *r, const struct grep_req *q,
    struct grep_res *out, struct arena *a, struct err *e)
{
	return rpc_grep(s, r, q, out, a, e);
}
