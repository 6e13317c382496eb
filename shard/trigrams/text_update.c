#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/pattern/grams.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo.h"
#include "shard/trigrams/text_build.h"
#include "shard/trigrams/text_rows.h"
#include "shard/trigrams/text_segment.h"

/* Texts without lists that become a segment: more than this, or so many bytes of them. */
enum { FRESH_TEXTS = 512, FRESH_BYTES = 4 << 20, TEXT_MAX = 256 << 20 };

struct text_update {
	struct db *db;
	struct repo *repo;
	uint64_t bytes_max;
};

/* The number in the only row of a statement. */
static int64_t query_number(struct db *db, const char *sql, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	int64_t n = 0;

	while (s && db_step(s, e) == 1)
		n = db_int(s, 0);
	return n;
}

/* ---- one change ---- */

static int remove_row(struct db *db, int64_t id, struct err *e)
{
	if (db_run(db, e,
	        "update text_segments set gone = gone + 1 where first <= ?1 and ?1 < first + texts",
	        "i", id))
		return -1;
	if (db_run(db, e, "delete from texts where id = ?", "i", id))
		return -1;
	return db_run(db, e, "delete from text_data where id = ?", "i", id);
}

static int remove_path(struct db *db, const char *path, struct err *e)
{
	struct stmt *s = db_prep(db, "select id from texts where path = ?", e);
	int64_t id = 0;
	int rc;

	if (!s || db_bind(s, "s", path))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		id = db_int(s, 0);
	if (!rc && id)
		rc = remove_row(db, id, e);
	if (!rc)
		rc = db_run(db, e, "delete from no_texts where path = ?", "s", path);
	return rc;
}

/* An id behind all texts and segments. */
static int64_t next_id(struct db *db, struct err *e)
{
	int64_t last = query_number(db, "select max(id) from texts", e);
	int64_t first = text_rows_fresh(db, e);

	return MAX(last + 1, first);
}

static int apply(struct text_update *u, const struct tree_change *c, struct err *e)
{
	const char *path = c->old.is == ENTRY_NONE ? c->new.path : c->old.path;
	struct arena *a = arena_new();
	struct text_segment s = { 0 };
	int rc = remove_path(u->db, text_utf8(path, strlen(path), a), e);

	if (!rc && c->new.is != ENTRY_NONE) {
		int64_t next = next_id(u->db, e);
		text_segment_add(&s, u->repo, &c->new, u->bytes_max, NULL);
		rc = e->code ? -1 : text_segment_write(&s, u->db, &next, e);
	}
	text_segment_free(&s);
	arena_free(a);
	return rc;
}

/* ---- segments ---- */

struct text_lister {
	int64_t first; /* id of the segment's first text */
	struct text_segment *s;
	struct gram_collector *grams;
	struct arena *a;
};

static int list_text(struct text_lister *l, struct stmt *q, struct err *e)
{
	size_t n, size, k;
	const void *p = db_blob(q, 1, &n);
	const char *text = deflate_get(p, n, TEXT_MAX, l->a, &size);
	uint32_t number = (uint32_t)(db_int(q, 0) - l->first);

	if (!text)
		return err_set(e, ERR_DB_ERROR, "a stored text is damaged");
	const uint32_t *v = grams_collect(l->grams, text, size, &k);
	gram_lists_add(l->s->lists, number, v, k);
	l->s->ntexts = number + 1;
	arena_reset(l->a);
	return 0;
}

/* Add the trigrams of the texts from id `first` on, and count them. */
static int list_texts(struct db *db, struct text_lister *l, struct err *e)
{
	struct stmt *q = db_prep(db, "select id, data from text_data where id >= ? order by id", e);
	int rc = -1;

	if (!q || db_bind(q, "i", l->first))
		return -1;
	while ((rc = db_step(q, e)) == 1)
		if (list_text(l, q, e))
			return -1;
	return rc;
}

/* Make a segment of the texts without lists; ids that are gone are places in it without a text. */
static int make_segment(struct db *db, int64_t first, struct err *e)
{
	struct text_segment s = { .lists = gram_lists_new() };
	struct text_lister l = { first, &s, gram_collector_new(), arena_new() };
	int rc = list_texts(db, &l, e);

	if (!rc)
		rc = text_segment_write_lists(&s, db, first, e);
	arena_free(l.a);
	gram_collector_free(l.grams);
	text_segment_free(&s);
	return rc;
}

/* The ids of the texts that remain of a segment. */
static int remaining(struct db *db, int64_t segment, struct text_ids *out, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select t.id from text_segments s join texts t on t.id >= s.first"
	    " and t.id < s.first + s.texts where s.id = ? order by t.id",
	    e);
	int rc = -1;

	if (!s || db_bind(s, "i", segment))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		out->v = grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
		out->v[out->n++] = db_int(s, 0);
	}
	return rc;
}

/* Give the remaining texts of a segment new ids, behind all others, and drop its lists. */
static int dissolve_segment(struct db *db, int64_t segment, struct err *e)
{
	struct text_ids ids = { 0 };
	int64_t next = next_id(db, e);
	int rc = e->code ? -1 : remaining(db, segment, &ids, e);

	for (size_t i = 0; !rc && i < ids.n; i++, next++) {
		rc = db_run(db, e, "update texts set id = ?2 where id = ?1", "ii", ids.v[i], next);
		if (!rc)
			rc = db_run(db, e, "update text_data set id = ?2 where id = ?1", "ii", ids.v[i], next);
	}
	free(ids.v);
	if (!rc)
		rc = db_run(db, e, "delete from grams where segment = ?", "i", segment);
	if (!rc)
		rc = db_run(db, e, "delete from text_segments where id = ?", "i", segment);
	return rc;
}

/* Segments of which most is gone are not worth their lists. */
static int dissolve_old(struct db *db, struct err *e)
{
	int64_t id;

	while (
	    (id = query_number(db, "select id from text_segments where gone * 2 > texts limit 1", e)))
		if (dissolve_segment(db, id, e))
			return -1;
	return e->code ? -1 : 0;
}

static int list_fresh(struct db *db, struct err *e)
{
	int64_t first = text_rows_fresh(db, e), texts = 0, bytes = 0;
	struct stmt *s = db_prep(db, "select count(*), sum(bytes) from texts where id >= ?", e);

	if (!s || db_bind(s, "i", first))
		return -1;
	while (db_step(s, e) == 1) {
		texts = db_int(s, 0);
		bytes = db_int(s, 1);
	}
	if (e->code)
		return -1;
	if (texts <= FRESH_TEXTS && bytes <= FRESH_BYTES)
		return 0;
	return make_segment(db, first, e);
}

static bool same_file(const struct tree_change *c)
{
	return c->old.is == c->new.is && !strcmp(c->old.blob, c->new.blob);
}

int text_update_run(struct db *db, struct repo *repo, const struct tree_changes *c,
    const struct text_limits *limits, struct err *e)
{
	struct text_update u = { db, repo, limits->bytes_max };

	for (size_t i = 0; i < c->n; i++)
		if (!same_file(&c->v[i]) && apply(&u, &c->v[i], e))
			return -1;
	if (dissolve_old(db, e))
		return -1;
	return list_fresh(db, e);
}
