#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo.h"
#include "shard/trigrams/text_build.h"
#include "shard/trigrams/text_rows.h"
#include "shard/trigrams/text_segment.h"

/* Texts without lists that become a segment: more than this, or so many bytes of them. */
enum { FRESH_TEXTS = 512, FRESH_BYTES = 4 << 20 };

struct text_update {
	struct db *db;
	struct repo *repo;
	uint64_t bytes_max;
};

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
	int64_t last = db_number(db, "select max(id) from texts", e);
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

struct segment_lists {
	int64_t first; /* id of the segment's first text */
	struct text_segment *s;
};

static void list_text(void *arg, int64_t id, const uint32_t *grams, size_t n)
{
	const struct segment_lists *l = arg;
	uint32_t number = (uint32_t)(id - l->first);

	gram_lists_add(l->s->lists, number, grams, n);
	l->s->ntexts = number + 1;
}

/* Make a segment of the texts without lists; ids that are gone are places in it without a text. */
static int make_segment(struct db *db, int64_t first, struct err *e)
{
	struct text_segment s = { .lists = gram_lists_new() };
	int rc = text_rows_each_fresh(db, list_text, &(struct segment_lists){ first, &s }, e);

	if (!rc)
		rc = text_segment_write_lists(&s, db, first, e);
	text_segment_free(&s);
	return rc;
}

/*
 * Move the remaining texts of a segment behind all others, where they have no lists, and drop its
 * lists.  They keep their distances, so ids that are gone stay gone.
 */
static int dissolve_segment(struct db *db, int64_t segment, struct err *e)
{
	int64_t next = next_id(db, e);

	if (e->code)
		return -1;
	if (db_run(db, e,
	        "update texts set id = texts.id + ?2 - s.first from text_segments s"
	        " where s.id = ?1 and texts.id >= s.first and texts.id < s.first + s.texts",
	        "ii", segment, next))
		return -1;
	if (db_run(db, e,
	        "update text_data set id = text_data.id + ?2 - s.first from text_segments s"
	        " where s.id = ?1 and text_data.id >= s.first and text_data.id < s.first + s.texts",
	        "ii", segment, next))
		return -1;
	if (db_run(db, e, "delete from grams where segment = ?", "i", segment))
		return -1;
	return db_run(db, e, "delete from text_segments where id = ?", "i", segment);
}

/* Segments of which most is gone are not worth their lists. */
static int dissolve_old(struct db *db, struct err *e)
{
	int64_t id;

	while ((id = db_number(db, "select id from text_segments where gone * 2 > texts limit 1", e)))
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

int text_update_run(struct db *db, struct repo *repo, const struct tree_changes *c,
    const struct text_limits *limits, struct err *e)
{
	struct text_update u = { db, repo, limits->bytes_max };

	for (size_t i = 0; i < c->n; i++)
		if (apply(&u, &c->v[i], e))
			return -1;
	if (dissolve_old(db, e))
		return -1;
	return list_fresh(db, e);
}
