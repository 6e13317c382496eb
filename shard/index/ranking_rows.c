#include "shard/index/ranking_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "shard/index/index_store.h"

struct ranking_chunk {
	int64_t id;
	uint16_t lengths[RANKING_ROW_DOCS];
	uint8_t priors[RANKING_ROW_DOCS];
	uint32_t files[RANKING_ROW_DOCS];
	uint64_t texts[RANKING_ROW_DOCS];
	uint32_t hashes[RANKING_ROW_DOCS];
};

struct ranking_rows {
	struct db *db;
	struct arena *a;
	struct map *chunks;	/* number -> struct ranking_chunk, in `a` */
};

struct ranking_rows *ranking_rows_new(struct db *db)
{
	struct ranking_rows *r = xcalloc(1, sizeof *r);

	*r = (struct ranking_rows){ .db = db, .a = arena_new(), .chunks = map_new() };
	return r;
}

void ranking_rows_free(struct ranking_rows *r)
{
	if (!r)
		return;
	map_free(r->chunks);
	arena_free(r->a);
	free(r);
}

static void take_blob(struct stmt *s, int col, void *to, size_t room)
{
	size_t n;
	const void *p = db_blob(s, col, &n);

	if (n && n <= room)
		memcpy(to, p, n);
}

static int read_chunk(struct ranking_rows *r, struct ranking_chunk *c, struct err *e)
{
	struct stmt *s = db_prep(
	    r->db, "select lengths, priors, files, texts, hashes from ranking where id = ?", e);
	int rc;

	if (!s || db_bind(s, "i", c->id))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		take_blob(s, 0, c->lengths, sizeof c->lengths);
		take_blob(s, 1, c->priors, sizeof c->priors);
		take_blob(s, 2, c->files, sizeof c->files);
		take_blob(s, 3, c->texts, sizeof c->texts);
		take_blob(s, 4, c->hashes, sizeof c->hashes);
	}
	return rc;
}

/* The chunk that holds the document's values until they are written. */
static struct ranking_chunk *chunk_of(struct ranking_rows *r, int64_t doc, struct err *e)
{
	char number[24];

	snprintf(number, sizeof number, "%lld", (long long)(doc / RANKING_ROW_DOCS));
	void **at = map_at(r->chunks, number);
	if (*at)
		return *at;
	struct ranking_chunk *c = arena_one(r->a, struct ranking_chunk);
	*at = c;
	c->id = doc / RANKING_ROW_DOCS;
	if (read_chunk(r, c, e))
		return NULL;
	return c;
}

int ranking_rows_set(
    struct ranking_rows *r, int64_t doc, const struct ranking_row *x, struct err *e)
{
	struct ranking_chunk *c = chunk_of(r, doc, e);
	size_t i = (size_t)(doc % RANKING_ROW_DOCS);

	if (!c)
		return -1;
	c->lengths[i] = x->length;
	c->priors[i] = x->prior;
	c->files[i] = x->file;
	c->texts[i] = x->text;
	c->hashes[i] = x->hash;
	return 0;
}

int ranking_rows_update(struct ranking_rows *r, int64_t doc, struct ranking_row x, struct err *e)
{
	const struct ranking_chunk *c = chunk_of(r, doc, e);

	if (!c)
		return -1;
	x.length = c->lengths[doc % RANKING_ROW_DOCS];
	return ranking_rows_set(r, doc, &x, e);
}

int ranking_rows_write(struct ranking_rows *r, int64_t last_doc, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < map_len(r->chunks); i++) {
		const struct ranking_chunk *c = map_val(r->chunks, i);
		int64_t left = last_doc + 1 - c->id * RANKING_ROW_DOCS;
		size_t n = RANKING_ROW_DOCS;
		if (left < RANKING_ROW_DOCS)
			n = (size_t)left;
		rc = db_run(r->db, e, "insert or replace into ranking values (?, ?, ?, ?, ?, ?)", "ibbbbb",
		    c->id, c->lengths, n * sizeof *c->lengths, c->priors, n, c->files, n * sizeof *c->files,
		    c->texts, n * sizeof *c->texts, c->hashes, n * sizeof *c->hashes);
	}
	return rc;
}
