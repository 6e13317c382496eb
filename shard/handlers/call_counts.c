#include "shard/handlers/call_counts.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"

enum { MOST_REASONS = 32 };

struct counts {
	struct call_count v[MOST_REASONS];
	size_t n;
};

/* What of a call is not known. */
static const char *reason_of(const struct fact *f)
{
	if (!f->reason)
		return "resolved";
	return text_or(f->why, "unknown");
}

static void count(struct counts *to, const struct fact *f, struct arena *a)
{
	const char *reason = reason_of(f);
	size_t i = 0;

	while (i < to->n && strcmp(to->v[i].reason, reason))
		i++;
	if (i == MOST_REASONS)
		return;
	if (i == to->n)
		to->v[to->n++] = (struct call_count){ .reason = arena_str(a, reason),
			.example = arena_printf(a, "%s:%llu", f->file, (unsigned long long)f->line) };
	to->v[i].calls++;
}

static int most_first(const void *a, const void *b)
{
	const struct call_count *x = a, *y = b;
	int order = compare_numbers(y->calls, x->calls);

	if (order)
		return order;
	return strcmp(x->reason, y->reason);
}

/* Count the fact that a row holds, if it is a call. */
static int count_row(struct stmt *s, struct counts *to, struct arena *a, struct err *e)
{
	struct arena *row = arena_new();
	struct fact f = { 0 };
	size_t n;
	const void *p = db_blob(s, 0, &n);
	int rc = codec_get(&rec_fact, &f, p, n, row, e);

	if (!rc && f.side && f.file && !strcmp(f.side, "consumes"))
		count(to, &f, a);
	arena_free(row);
	return rc;
}

int call_counts_read(struct db *db, struct status_res *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select c.fact from contracts c join files f on f.id = c.file where c.joined <> 4"
	    " order by f.path, c.line, c.fact",
	    e);
	struct counts *to = arena_one(a, struct counts);
	int rc = -1;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		if (count_row(s, to, a, e))
			return -1;
	if (rc < 0)
		return -1;
	if (to->n)
		qsort(to->v, to->n, sizeof *to->v, most_first);
	out->calls.v = to->v;
	out->calls.n = to->n;
	return 0;
}
