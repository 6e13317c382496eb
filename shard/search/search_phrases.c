/*
 * Which documents contain every phrase of the question. Their text is in git, and unpacking it is
 * the expensive part.
 */
#include "shard/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/db/db.h"
#include "proto/base/map.h"
#include "proto/base/int_map.h"
#include "proto/base/minmax.h"
#include "shard/search/phrase_match.h"
#include "shard/git/repo.h"
#include "shard/index/index_reader.h"
#include "shard/base/text_lines.h"

/*
 * Documents that are checked and bytes of files that are unpacked for one question: a tenth to a
 * fifth of a second at most.  Bytes of files in the cache.
 */
enum { CHECKED_DOCS_MAX = 10000, READ_BYTES_MAX = 48 << 20, CACHE_BYTES_MAX = 8 << 20 };

struct file_text {
	struct buf text;
	struct line_offsets lines;
};

/* The results and texts so far. */
struct phrase_cache {
	struct int_map *docs;	/* -> `yes`, or `no` */
	struct map *files;	/* blob -> struct file_text, in `a` */
	struct arena *a;
	size_t bytes;		/* of all cached files */
	size_t read;		/* of all files, each time that one is unpacked */
};

static char yes, no;

static void drop_cached_files(struct phrase_cache *k)
{
	for (size_t i = 0; i < map_len(k->files); i++)
		buf_free(&((struct file_text *)map_val(k->files, i))->text);
	map_free(k->files);
	arena_reset(k->a);
	k->files = map_new();
	k->bytes = 0;
}

static struct phrase_cache *phrase_cache_new(void)
{
	struct phrase_cache *k = xcalloc(1, sizeof *k);

	*k = (struct phrase_cache){ .docs = int_map_new(), .files = map_new(), .a = arena_new() };
	return k;
}

void search_free_phrases(struct search_context *w)
{
	struct phrase_cache *k = w->phrases;

	if (!k)
		return;
	drop_cached_files(k);
	map_free(k->files);
	int_map_free(k->docs);
	arena_free(k->a);
	free(k);
	w->phrases = NULL;
}

/*
 * The text of a file. Documents of one file are rarely checked one after the other, but the file
 * often comes back.
 */
static const struct file_text *text_of(struct search_context *w, const char *blob)
{
	struct phrase_cache *k = w->phrases;
	struct repo *repo = index_reader_repo(w->r, w->e);

	if (k->bytes > CACHE_BYTES_MAX)
		drop_cached_files(k);
	void **at = map_at(k->files, blob);
	if (*at)
		return *at;
	struct file_text *f = arena_one(k->a, struct file_text);
	*at = f;
	if (!repo || repo_blob_text(repo, blob, &f->text, NULL))
		buf_free(&f->text);
	buf_str(&f->text, "");	/* never NULL */
	f->lines = text_lines(f->text.p, f->text.n, SIZE_MAX, k->a);
	k->bytes += f->text.n;
	k->read += f->text.n;
	return f;
}

/* Whether the lines of the document contain every phrase: those are what a hit shows. */
static bool row_matches(struct search_context *w, struct stmt *s)
{
	const struct file_text *f = text_of(w, db_str(s, 0));
	size_t from = (size_t)db_int(s, 1), to = MIN((size_t)db_int(s, 2), f->lines.n);

	if (!from || from > to)
		return false;
	const char *body = f->text.p + f->lines.v[from - 1];
	size_t n = f->lines.v[to] - f->lines.v[from - 1];
	for (size_t i = 0; i < w->ask.nphrases; i++)
		if (!phrase_matches(w->ask.phrases[i].text, body, n, NULL))
			return false;
	return true;
}

static bool check_document(struct search_context *w, int64_t doc)
{
	struct stmt *s = db_prep(w->db,
	    "select f.blob, d.start_line, d.end_line from docs d join files f on f.id = d.file"
	    " where d.id = ?",
	    w->e);
	bool found = false;

	if (!s || db_bind(s, "i", doc))
		return false;
	while (db_step(s, w->e) == 1)
		found = row_matches(w, s);
	return found;
}

bool search_has_phrases(struct search_context *w, int64_t doc)
{
	if (!w->phrases)
		w->phrases = phrase_cache_new();
	struct phrase_cache *k = w->phrases;
	void **at = int_map_at(k->docs, (uint64_t)doc);
	if (!*at) {
		size_t checked = int_map_len(k->docs) - w->unchecked;
		*at = &no;
		if (checked > CHECKED_DOCS_MAX || k->read > READ_BYTES_MAX)
			w->unchecked++;
		else if (check_document(w, doc))
			*at = &yes;
	}
	return *at == &yes;
}
