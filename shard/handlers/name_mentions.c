#include "shard/handlers/name_mentions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/db/db.h"
#include "proto/base/map.h"
#include "proto/text/tokens.h"
#include "shard/index/postings.h"
#include "shard/git/repo.h"
#include "shard/index/index_reader.h"

/* maximum files to read, files and documents to find; minimum letters of a name */
enum { FILES_READ_MAX = 40, FILES_FOUND_MAX = 400, DOCS_MAX = 4000, NAME_MIN = 3 };

/* Of the request's time, after which no more files are read. */
enum { TIME_PERCENT = 75 };

struct candidate_file {
	const char *path, *blob;
};

struct doc_ids {
	int64_t *v;
	size_t n, cap;
};

static void note_doc(void *arg, int64_t doc, double weight)
{
	struct doc_ids *d = arg;

	(void)weight;
	if (d->n >= DOCS_MAX)
		return;
	d->v = grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	d->v[d->n++] = doc;
}

/* Adds the file of a document, unless it is known, was met before, or contains no code. */
static int file_of(struct db *db, int64_t doc, const struct map *known, struct map *met,
    struct candidate_file *out, size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select f.path, f.blob from docs d join files f on f.id = d.file where d.id = ?"
	    " and exists (select 1 from symbols s where s.file = f.id and s.kind <> 'section')",
	    e);
	int rc;

	if (!s || db_bind(s, "i", doc))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		void **at = map_at(met, db_str(s, 0));
		if (*at || map_get(known, db_str(s, 0)))
			continue;
		*at = met;
		out[(*n)++] = (struct candidate_file){ arena_str(a, db_str(s, 0)),
			arena_str(a, db_str(s, 1)) };
	}
	return rc;
}

static int by_path(const void *a, const void *b)
{
	const struct candidate_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Finds the files of code whose text contains the term of the name, sorted by path. */
static int candidates(struct db *db, const char *name, const struct map *known,
    struct candidate_file *v, size_t *n, struct arena *a, struct err *e)
{
	struct terms t = terms_of(name, 1, a);
	struct map *met = map_new();
	struct doc_ids docs = { 0 };
	int rc = 0;

	if (t.n)
		rc = postings_each(db, t.v[0].text, note_doc, &docs, e);
	*n = 0;
	for (size_t i = 0; !rc && i < docs.n && *n < FILES_FOUND_MAX; i++)
		rc = file_of(db, docs.v[i], known, met, v, n, a, e);
	if (!rc && *n)
		qsort(v, *n, sizeof *v, by_path);
	map_free(met);
	free(docs.v);
	return rc;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/*
 * Whether this is a prototype, as in a header: the line begins with a type, without indentation,
 * and the word before the name is on the same line.
 */
static bool is_prototype(const char *text, const char *p)
{
	const char *line = p, *before = p;

	while (line > text && line[-1] != '\n')
		line--;
	while (before > line && (before[-1] == ' ' || before[-1] == '*'))
		before--;
	bool has_word_before = before > line && before < p && in_word(before[-1]);
	return has_word_before && in_word(*line);
}

/* Whether the name of `n` bytes at `p` is a whole word and, if callable, is called here. */
static bool is_use(const struct buf *text, const char *p, size_t n, bool callable)
{
	const char *after = p + n, *end = text->p + text->n;

	if (p > text->p && in_word(p[-1]))
		return false;
	if (after < end && in_word(*after))
		return false;
	if (!callable)
		return true;
	while (after < end && (*after == ' ' || *after == '\t'))
		after++;
	return after < end && *after == '(' && !is_prototype(text->p, p);
}

static bool uses(const struct buf *text, const char *name, bool callable)
{
	size_t n = strlen(name);
	const char *end = text->p + text->n, *p = text->p;

	if (!text->n)
		return false;
	for (;;) {
		p = memmem(p, (size_t)(end - p), name, n);
		if (!p)
			return false;
		if (is_use(text, p, n, callable))
			return true;
		p++;
	}
}

int name_mentions_find(struct index_reader *r, const char *name, bool callable,
    const struct map *known, struct name_mentions *out, struct arena *a, struct err *e)
{
	struct candidate_file *v = arena_many(a, FILES_FOUND_MAX, struct candidate_file);
	struct repo *repo;
	size_t n;

	*out = (struct name_mentions){ 0 };
	if (strlen(name) < NAME_MIN)
		return 0;
	if (candidates(r->db, name, known, v, &n, a, e))
		return -1;
	repo = index_reader_repo(r, e);
	if (!repo)
		return -1;
	int64_t until = index_reader_until(r, TIME_PERCENT);
	size_t i = 0;
	for (; i < n && i < FILES_READ_MAX && (!until || clock_ms() < until); i++) {
		struct buf text = { 0 };
		if (!repo_blob_text(repo, v[i].blob, &text, NULL) && uses(&text, name, callable)) {
			out->files++;
			if (!out->example)
				out->example = v[i].path;
		}
		buf_free(&text);
	}
	out->unread = n - i;
	return 0;
}
