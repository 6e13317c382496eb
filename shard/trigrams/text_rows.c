#include "shard/trigrams/text_rows.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/pattern/grams.h"
#include "shard/trigrams/gram_lists.h"

enum {
	FEW_TEXTS = 4, /* reading so few is cheaper than one more list */
	TEXT_MAX = 256 << 20 /* bytes of a stored text; --text-limit may be raised */
};

/* Texts of one segment by number: those in the list, or all. */
struct text_choice {
	bool all;
	struct text_numbers list;
};

struct text_finder {
	struct db *db;
	int64_t segment;
	uint32_t texts; /* of the segment */
	struct err *e;
};

/* ---- one trigram ---- */

static int find_gram(const struct text_finder *f, uint32_t gram, struct text_numbers *out)
{
	struct stmt *s = db_prep(f->db,
	    "select first, data from grams where segment = ? and first <= ? order by first desc limit 1",
	    f->e);
	int rc = -1;

	out->n = 0;
	if (!s || db_bind(s, "ii", f->segment, (int64_t)gram))
		return -1;
	while ((rc = db_step(s, f->e)) == 1) {
		size_t n;
		const void *block = db_blob(s, 1, &n);
		if (!gram_block_find(block, n, (uint32_t)db_int(s, 0), gram, f->texts, out))
			return err_set(f->e, ERR_DB_ERROR, "a list of trigrams is damaged");
	}
	return rc;
}

/* ---- sets ---- */

static void keep_common(struct text_numbers *a, const struct text_numbers *b)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		if (a->v[i] == b->v[k]) {
			a->v[n++] = a->v[i++];
			k++;
		} else if (a->v[i] < b->v[k]) {
			i++;
		} else {
			k++;
		}
	}
	a->n = n;
}

static void add_number(struct text_numbers *l, uint32_t x)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = x;
}

/* A number of a list, or one that is larger than all behind its end. */
static uint32_t number_at(const struct text_numbers *l, size_t i)
{
	return i < l->n ? l->v[i] : UINT32_MAX;
}

/* Add the numbers of `b` to `a`. */
static void merge(struct text_numbers *a, const struct text_numbers *b)
{
	struct text_numbers out = { 0 };

	for (size_t i = 0, k = 0; i < a->n || k < b->n;) {
		uint32_t x = number_at(a, i), y = number_at(b, k);
		add_number(&out, MIN(x, y));
		i += x <= y;
		k += y <= x;
	}
	free(a->v);
	*a = out;
}

/* ---- queries ---- */

static int choose(const struct text_finder *, const struct gram_query *, struct text_choice *out);

static int choose_common(
    const struct text_finder *f, const struct gram_query *q, struct text_choice *out)
{
	out->all = true;
	for (size_t i = 0; i < q->nparts && (out->all || out->list.n > FEW_TEXTS); i++) {
		struct text_choice one = { 0 };
		if (choose(f, q->parts[i], &one)) {
			free(one.list.v);
			return -1;
		}
		if (one.all)
			continue;
		if (out->all) {
			*out = one;
			continue;
		}
		keep_common(&out->list, &one.list);
		free(one.list.v);
	}
	return 0;
}

static int choose_any(
    const struct text_finder *f, const struct gram_query *q, struct text_choice *out)
{
	int rc = 0;

	out->all = false;
	for (size_t i = 0; !rc && i < q->nparts && !out->all; i++) {
		struct text_choice one = { 0 };
		rc = choose(f, q->parts[i], &one);
		if (one.all)
			out->all = true;
		else
			merge(&out->list, &one.list);
		free(one.list.v);
	}
	return rc;
}

static int choose(const struct text_finder *f, const struct gram_query *q, struct text_choice *out)
{
	switch (q->kind) {
	case GRAM_QUERY_ALL: return choose_common(f, q, out);
	case GRAM_QUERY_ONE: return choose_any(f, q, out);
	case GRAM_QUERY_GRAM: return find_gram(f, q->gram, &out->list);
	case GRAM_QUERY_ANY: break;
	}
	out->all = true;
	return 0;
}

/* ---- rows ---- */

struct row_list {
	struct arena *a;
	bool (*wanted)(void *arg, const char *path, const char *language);
	void *arg;
	struct stored_text *v;
	size_t n, cap;
};

static void add_row(struct row_list *l, struct stmt *s)
{
	const char *language = db_null(s, 2) ? NULL : db_str(s, 2);

	if (!l->wanted(l->arg, db_str(s, 1), language))
		return;
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct stored_text){
		.id = db_int(s, 0), .path = db_copy_text(s, 1, l->a), .language = db_copy_text(s, 2, l->a)
	};
}

static int add_range(struct db *db, int64_t from, int64_t to, struct row_list *l, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select id, path, language from texts where id >= ? and id < ?", e);
	int rc = -1;

	if (!s || db_bind(s, "ii", from, to))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		add_row(l, s);
	return rc;
}

static int add_listed(struct db *db, int64_t first, const struct text_numbers *numbers,
    struct row_list *l, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < numbers->n; i++) {
		struct stmt *s = db_prep(db, "select id, path, language from texts where id = ?", e);
		if (!s || db_bind(s, "i", first + numbers->v[i]))
			return -1;
		while ((rc = db_step(s, e)) == 1)
			add_row(l, s);
	}
	return rc;
}

struct segment_row {
	int64_t id, first, texts;
};

static int read_segments(
    struct db *db, struct segment_row **v, size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select id, first, texts from text_segments order by first", e);
	struct segment_row *all = NULL;
	size_t cap = 0;
	int rc = -1;

	*n = 0;
	while (s && (rc = db_step(s, e)) == 1) {
		all = grow(all, &cap, *n + 1, sizeof *all);
		all[(*n)++] = (struct segment_row){ db_int(s, 0), db_int(s, 1), db_int(s, 2) };
	}
	*v = arena_many(a, *n + 1, struct segment_row);
	if (*n)
		memcpy(*v, all, *n * sizeof *all);
	free(all);
	return rc;
}

static int find_in_segment(struct db *db, const struct segment_row *g, const struct gram_query *q,
    struct row_list *l, struct err *e)
{
	const struct text_finder f = { db, g->id, (uint32_t)g->texts, e };
	struct text_choice c = { 0 };
	int rc = choose(&f, q, &c);

	if (!rc && c.all)
		rc = add_range(db, g->first, g->first + g->texts, l, e);
	else if (!rc)
		rc = add_listed(db, g->first, &c.list, l, e);
	free(c.list.v);
	return rc;
}

static int by_path(const void *a, const void *b)
{
	const struct stored_text *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int text_rows_find(struct db *db, const struct gram_query *q,
    bool (*wanted)(void *arg, const char *path, const char *language), void *arg, struct arena *a,
    struct text_rows *out, struct err *e)
{
	struct row_list l = { .a = a, .wanted = wanted, .arg = arg };
	struct segment_row *v;
	size_t n;
	int rc = read_segments(db, &v, &n, a, e);
	int64_t fresh = 1;

	for (size_t i = 0; !rc && i < n; i++) {
		rc = find_in_segment(db, &v[i], q, &l, e);
		fresh = v[i].first + v[i].texts;
	}
	if (!rc)
		rc = add_range(db, fresh, INT64_MAX, &l, e);
	*out = (struct text_rows){ .v = arena_many(a, l.n + 1, struct stored_text), .n = l.n };
	if (l.n) {
		memcpy(out->v, l.v, l.n * sizeof *l.v);
		qsort(out->v, out->n, sizeof *out->v, by_path);
	}
	free(l.v);
	return rc;
}

bool text_rows_exist(struct db *db)
{
	return db_prep(db, "select 1 from text_segments", NULL) != NULL;
}

int64_t text_rows_fresh(struct db *db, struct err *e)
{
	return MAX(db_number(db, "select max(first + texts) from text_segments", e), 1);
}

/* A stored text, in `a`; NULL with `e` if it is damaged. */
static const char *unpack(struct stmt *s, int column, struct arena *a, size_t *n, struct err *e)
{
	size_t size;
	const void *p = db_blob(s, column, &size);
	const char *text = deflate_get(p, size, TEXT_MAX, a, n);

	if (!text)
		err_set(e, ERR_DB_ERROR, "a stored text is damaged");
	return text;
}

int text_rows_each_fresh(struct db *db,
    void (*take)(void *arg, int64_t id, const uint32_t *grams, size_t n), void *arg, struct err *e)
{
	int64_t first = text_rows_fresh(db, e);
	struct stmt *s = db_prep(db, "select id, data from text_data where id >= ? order by id", e);
	struct gram_collector *grams = gram_collector_new();
	struct arena *a = arena_new();
	int rc = -1;

	if (!e->code && s && !db_bind(s, "i", first))
		while ((rc = db_step(s, e)) == 1) {
			size_t n, k;
			const char *text = unpack(s, 1, a, &n, e);
			if (!text) {
				rc = -1;
				break;
			}
			const uint32_t *v = grams_collect(grams, text, n, &k);
			take(arg, db_int(s, 0), v, k);
			arena_reset(a);
		}
	arena_free(a);
	gram_collector_free(grams);
	return rc;
}

const char *text_rows_read(struct db *db, int64_t id, struct arena *a, size_t *n, struct err *e)
{
	struct stmt *s = db_prep(db, "select data from text_data where id = ?", e);
	const char *text = NULL;

	if (!s || db_bind(s, "i", id))
		return NULL;
	while (db_step(s, e) == 1)
		text = unpack(s, 0, a, n, e);
	if (!text && !e->code)
		err_set(e, ERR_DB_ERROR, "a stored text is not there");
	return text;
}
