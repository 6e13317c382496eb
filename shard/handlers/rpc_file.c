#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo.h"
#include "shard/handlers/rpc_handlers.h"

enum { BYTES_MAX = 65536 };	/* of an answer, unless the request gives a number */

/*
 * Returns the lines from..to of the text without the first `skip` bytes, cut to at most `max` bytes
 * after a line (or, in the first one, after a character).
 */
static void fill(struct file_res *out, const struct buf *text, const struct line_offsets *l,
    uint64_t from, uint64_t to, uint64_t skip, uint64_t max, struct arena *a)
{
	size_t start = l->v[from - 1] + skip, end = start;
	uint64_t last = from;

	for (uint64_t i = from; i <= to && l->v[i] - start <= max; i++) {
		end = l->v[i];
		last = i;
	}
	if (end == start) {
		end = start + text_utf8_prefix(text->p + start, max);
		out->next_byte = end - l->v[from - 1];
	}
	out->truncated = end < l->v[to];
	out->start_line = from;
	out->end_line = last;
	out->content = text_utf8(text->p + start, end - start, a);
}

/* Checks that the line has more bytes than are to be skipped. */
static int check_skip(
    const struct file_req *q, const struct line_offsets *l, uint64_t line, struct err *e)
{
	size_t n = l->v[line] - l->v[line - 1];

	if (!q->start_byte || q->start_byte < n)
		return 0;
	return err_set(e, ERR_INVALID_INPUT, "start_byte: %llu is beyond the %zu bytes of line %llu",
	    (unsigned long long)q->start_byte, n, (unsigned long long)line);
}

/* Returns the requested lines of the text. */
static int put_lines(const struct file_req *q, const struct buf *text, struct file_res *out,
    struct arena *a, struct err *e)
{
	struct line_offsets l = text_lines(text->p, text->n, SIZE_MAX, a);
	uint64_t from = MAX(q->start_line, 1), to = l.n, max = q->max_bytes;

	if (q->end_line)
		to = MIN(q->end_line, l.n);
	if (!max)
		max = BYTES_MAX;
	out->total_lines = l.n;
	out->content = "";
	out->start_line = 1;
	if (from == 1 && !l.n)
		return 0;
	if (from > l.n)
		return err_set(e, ERR_INVALID_INPUT, "start_line: %llu is beyond the %zu lines of `%.120s`",
		    (unsigned long long)from, l.n, q->path);
	if (from > to)
		return err_set(e, ERR_INVALID_INPUT, "end_line: %llu is before start_line %llu",
		    (unsigned long long)to, (unsigned long long)from);
	if (check_skip(q, &l, from, e))
		return -1;
	fill(out, text, &l, from, to, q->start_byte, max, a);
	return 0;
}

static int read_file(struct repo *repo, const char *commit, const struct file_req *q,
    struct buf *text, struct file_res *out, struct arena *a, struct err *e)
{
	char blob[REPO_OID_SIZE];
	const char *path = repo_resolve_path(repo, commit, q->path, blob, a, e);

	if (!path || repo_blob_text(repo, blob, text, e))
		return -1;
	if (memchr(text->p, 0, MIN(text->n, 8192)))
		return err_set(e, ERR_INVALID_INPUT, "path: `%.150s` is a binary file", q->path);
	*out = (struct file_res){ .path = path, .blob = arena_str(a, blob) };
	return put_lines(q, text, out, a, e);
}

int rpc_file(struct shard *s, struct index_reader *r, const struct file_req *q,
    struct file_res *out, struct arena *a, struct err *e)
{
	struct repo *repo = index_reader_repo(r, e);
	struct buf text = { 0 };

	(void)s;
	if (!repo)
		return -1;
	buf_str(&text, "");	/* never NULL */
	int rc = read_file(repo, r->info.commit, q, &text, out, a, e);
	buf_free(&text);
	return rc;
}
