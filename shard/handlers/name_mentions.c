#include "shard/handlers/name_mentions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/db/db.h"
#include "proto/base/map.h"
#include "proto/text/tokens.h"
#include "shard/index/postings.h"
#include "shard/git/repo.h"
#include "shard/index/index_reader.h"

/* Files read, files and documents looked up, letters of a name. */
enum { READ_MOST = 40, FOUND_MOST = 400, DOCS_MOST = 4000, NAME_MIN = 3 };

struct holder {
	const char *path, *blob;
};

struct docs {
	int64_t *v;
	size_t n, cap;
};

static void note(void *arg, int64_t doc, double weight)
{
	struct docs *d = arg;

	(void)weight;
	if (d->n >= DOCS_MOST)
		return;
	d->v = grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	d->v[d->n++] = doc;
}

/* The file of a document unless it is known, was met before or holds no code. */
static int file_of(struct db *db, int64_t doc, const struct map *known, struct map *met, struct holder *out, size_t *n,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select f.path, f.blob from docs d join files f on f.id = d.file where d.id = ?"
	    " and exists (select 1 from symbols s where s.file = f.id and s.kind <> 'section')", e);
	int rc;

	if (!s || db_bind(s, "i", doc))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		void **at = map_at(met, db_str(s, 0));
		if (*at || map_get(known, db_str(s, 0)))
			continue;
		*at = met;
		out[(*n)++] = (struct holder){ arena_str(a, db_str(s, 0)), arena_str(a, db_str(s, 1)) };
	}
	return rc;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct holder *)a)->path, ((const struct holder *)b)->path);
}

/* Files of code whose text holds the term of the name, by path. */
static int candidates(struct db *db, const char *name, const struct map *known, struct holder *v, size_t *n,
    struct arena *a, struct err *e)
{
	struct terms t = terms_of(name, 1, a);
	struct map *met = map_new();
	struct docs docs = { 0 };
	int rc = t.n ? postings_each(db, t.v[0].text, note, &docs, e) : 0;

	*n = 0;
	for (size_t i = 0; !rc && i < docs.n && *n < FOUND_MOST; i++)
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

/* Whether a prototype stands here, as in a header: a line that begins with a type, without indentation. */
static bool is_prototype(const char *text, const char *p)
{
	const char *line = p, *before = p;

	while (line > text && line[-1] != '\n')
		line--;
	while (before > line && (before[-1] == ' ' || before[-1] == '*'))
		before--;
	return before > line && before < p && in_word(before[-1]) && in_word(*line);
}

/* Whether the text uses the name: as a whole word and, if it can be called, before a parenthesis. */
static bool uses(const struct buf *text, const char *name, bool callable)
{
	size_t n = strlen(name);
	const char *end = text->p + text->n;

	for (const char *p = text->p; p && (p = memmem(p, (size_t)(end - p), name, n)); p++) {
		const char *after = p + n;
		if ((p > text->p && in_word(p[-1])) || (after < end && in_word(*after)))
			continue;
		while (callable && after < end && (*after == ' ' || *after == '\t'))
			after++;
		if (!callable || (after < end && *after == '(' && !is_prototype(text->p, p)))
			return true;
	}
	return false;
}

int mentions_find(struct reader *r, const char *name, bool callable, const struct map *known, struct mentions *out,
    struct arena *a, struct err *e)
{
	struct holder *v = arena_many(a, FOUND_MOST, struct holder);
	struct repo *repo;
	size_t n;

	*out = (struct mentions){ 0 };
	if (strlen(name) < NAME_MIN)
		return 0;
	if (candidates(r->db, name, known, v, &n, a, e) || !(repo = reader_repo(r, e)))
		return -1;
	for (size_t i = 0; i < n && i < READ_MOST; i++) {
		struct buf text = { 0 };
		if (!repo_text(repo, v[i].blob, &text, NULL) && uses(&text, name, callable)) {
			out->files++;
			out->example = out->example ? out->example : v[i].path;
		}
		buf_free(&text);
	}
	out->unread = n > READ_MOST ? n - READ_MOST : 0;
	return 0;
}
