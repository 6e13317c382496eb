#include "shard/trigrams/text_segment.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/pattern/grams.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo.h"
#include "shard/syntax/languages.h"

enum { UNPACK_MAX = 64 << 20 }; /* bytes that unpacking an object of git may take */

void text_segment_free(struct text_segment *s)
{
	free(s->v);
	buf_free(&s->data);
	gram_lists_free(s->lists);
	arena_free(s->a);
	*s = (struct text_segment){ 0 };
}

static struct packed_text *add_file(struct text_segment *s, const char *path)
{
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n] = (struct packed_text){ .path = path };
	return &s->v[s->n++];
}

static const char *language_of(const char *path, const char *text, size_t n)
{
	const struct lang *l = lang_detect(path, text, n);

	if (!l)
		return NULL;
	return lang_name(l);
}

static void add_text(struct text_segment *s, const char *path, const char *text, size_t n,
    struct gram_collector *grams)
{
	struct packed_text *x = add_file(s, path);

	if (memchr(text, 0, n)) {
		x->why = "binary";
		x->bytes = n;
		return;
	}
	*x = (struct packed_text){
		.path = path, .language = language_of(path, text, n), .bytes = n, .at = s->data.n
	};
	deflate_put(&s->data, DEFLATE_SMALL, text, n);
	x->n = s->data.n - x->at;
	if (grams) {
		size_t k;
		const uint32_t *v = grams_collect(grams, text, n, &k);
		if (!s->lists)
			s->lists = gram_lists_new();
		gram_lists_add(s->lists, (uint32_t)s->ntexts, v, k);
	}
	s->ntexts++;
}

/* Why an entry has no text, before it is read; NULL if nothing is known. */
static const char *left_out(const struct tree_entry *x, uint64_t bytes_max)
{
	if (x->is == ENTRY_SYMLINK)
		return "symlink";
	if (x->is == ENTRY_UNREADABLE || x->is == ENTRY_OVER_LIMIT)
		return x->why;
	if (x->size > bytes_max)
		return "too large";
	return NULL;
}

static const char *read_blob(struct repo *repo, const char *blob, struct buf *out)
{
	size_t before = repo_set_alloc_limit(UNPACK_MAX);
	const char *why = NULL;

	buf_str(out, ""); /* an empty file has a text, too */
	if (repo_blob(repo, blob, out, NULL)) {
		why = repo_blob_fault(repo, blob);
		if (!why)
			why = "missing";
	}
	repo_set_alloc_limit(before);
	return why;
}

void text_segment_add(struct text_segment *s, struct repo *repo, const struct tree_entry *x,
    uint64_t bytes_max, struct gram_collector *grams)
{
	const char *why = left_out(x, bytes_max);
	struct buf text = { 0 };

	if (x->is == ENTRY_SUBMODULE || x->is == ENTRY_NONE)
		return;
	if (!why)
		why = read_blob(repo, x->blob, &text);
	if (!why) {
		add_text(s, x->path, text.p, text.n, grams);
	} else {
		struct packed_text *f = add_file(s, x->path);
		f->why = why;
		f->bytes = x->size;
	}
	buf_free(&text);
}

/* ---- writing ---- */

/* Bytes of a path that are no UTF-8 become what they are elsewhere in the index. */
static const char *valid_path(struct text_segment *s, const char *path)
{
	if (!s->a)
		s->a = arena_new();
	return text_utf8(path, strlen(path), s->a);
}

static int write_text(
    struct db *db, struct text_segment *s, const struct packed_text *x, int64_t id, struct err *e)
{
	if (db_run(db, e, "insert into texts values (?, ?, ?, ?)", "iSSi", id, valid_path(s, x->path),
	        x->language, (int64_t)x->bytes))
		return -1;
	return db_run(db, e, "insert into text_data values (?, ?)", "ib", id, s->data.p + x->at, x->n);
}

int text_segment_write(struct text_segment *s, struct db *db, int64_t *next, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < s->n; i++) {
		const struct packed_text *x = &s->v[i];
		if (x->why)
			rc = db_run(db, e, "insert or replace into no_texts values (?, ?, ?)", "Ssi",
			    valid_path(s, x->path), x->why, (int64_t)x->bytes);
		else
			rc = write_text(db, s, x, (*next)++, e);
	}
	return rc;
}

int text_segment_write_lists(struct text_segment *s, struct db *db, int64_t first, struct err *e)
{
	struct gram_blocks blocks = { 0 };
	int rc = db_run(db, e, "insert into text_segments (first, texts) values (?, ?)", "ii", first,
	    (int64_t)s->ntexts);
	int64_t id = db_last_id(db);

	if (s->lists)
		gram_lists_pack(s->lists, &blocks);
	for (size_t i = 0; !rc && i < blocks.n; i++) {
		const struct gram_block *b = &blocks.v[i];
		rc = db_run(db, e, "insert into grams values (?, ?, ?)", "iib", id, (int64_t)b->first,
		    blocks.bytes.p + b->at, b->n);
	}
	gram_blocks_free(&blocks);
	return rc;
}
