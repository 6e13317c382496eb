#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo.h"
#include "shard/handlers/rpc_handlers.h"

/*
 * The lines from..to of the text, cut at a line (or, in the first, at a character) to at most
 * `max` bytes.
 */
static void fill(struct file_res *out, const struct buf *text, const struct line_offsets *l,
    uint64_t from, uint64_t to, uint64_t max, struct arena *a)
{
	size_t start = l->v[from - 1], end = start;
	uint64_t last = from;

	for (uint64_t i = from; i <= to && l->v[i] - start <= max; i++) {
		end = l->v[i];
		last = i;
	}
	if (end == start)
		end = start + text_utf8_prefix(text->p + start, max);
	out->truncated = end < l->v[to];
	out->start_line = from;
	out->end_line = last;
	out->content = text_utf8(text->p + start, end - start, a);
}

int rpc_file(struct shard *s, struct index_reader *r, const struct file_req *q,
    struct file_res *out, struct arena *a, struct err *e)
{
	struct repo *repo = index_reader_repo(r, e);
	struct buf text = { 0 };
	char blob[REPO_OID_SIZE];
	int rc = -1;

	(void)s;
	const char *path = repo ? repo_resolve_path(repo, r->info.commit, q->path, blob, a, e) : NULL;
	if (!path || repo_blob_text(repo, blob, &text, e))
		goto out;
	if (text.n && memchr(text.p, 0, MIN(text.n, 8192))) {
		err_set(e, ERR_INVALID_INPUT, "path: `%.150s` is a binary file", q->path);
		goto out;
	}
	struct line_offsets l = text_lines(text.n ? text.p : "", text.n, SIZE_MAX, a);
	uint64_t from = q->start_line ? q->start_line : 1,
	         to = q->end_line && q->end_line < l.n ? q->end_line : l.n;
	*out = (struct file_res){ .path = path, .blob = arena_str(a, blob), .total_lines = l.n, .content = "",
		.start_line = 1 };
	if (from > to && !(from == 1 && !l.n)) {
		err_set(e, ERR_INVALID_INPUT, "no line from %llu on: `%.120s` has %zu lines%s",
		    (unsigned long long)from, q->path, l.n,
		    from > l.n ? "" : ", and the last wanted is before");
		goto out;
	}
	if (l.n)
		fill(out, &text, &l, from, to, q->max_bytes ? q->max_bytes : 65536, a);
	rc = 0;
out:
	buf_free(&text);
	return rc;
}
