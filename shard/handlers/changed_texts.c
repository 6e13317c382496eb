#include "shard/handlers/changed_texts.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/db/db.h"
#include "proto/record/record.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/index/index_reader.h"
#include "shard/ingest/file_filter.h"
#include "shard/parse/outline.h"

enum {
	FILES = 400,			/* maximum files whose texts are compared */
	BYTES = 16 << 20,		/* of all of them */
	FILE_BYTES = 1 << 20,		/* of one of them */
	OUTLINE_MS = 5000		/* to parse the texts that are not indexed */
};

void changed_texts_add_reason(struct changes_context *w, const char *reason)
{
	if (w->reasons->n < CHANGED_TEXTS_REASONS)
		w->reasons->v[w->reasons->n++] = reason;
}

/* Whether the text is neither NULL nor empty. */
static bool has(const char *s)
{
	return s && *s;
}

/* ---- what changed ---- */

/* Resolves the two commits of the request; `base` is "" for the empty tree. */
static int read_commits(
    struct changes_context *w, const struct changes_req *q, char *base, char *head, struct err *e)
{
	int rc;

	if (!has(q->head))
		memcpy(head, w->r->info.commit, REPO_OID_SIZE - 1);
	else if (repo_revision(w->repo, q->head, head, e))
		return err_add(e, "head");
	if (has(q->base))
		rc = repo_revision(w->repo, q->base, base, e);
	else
		rc = repo_change_base(w->repo, head, base, e);
	if (rc)
		return err_add(e, "base");
	return 0;
}

int changed_texts_read_diff(
    struct changes_context *w, const struct changes_req *q, struct changes_res *out, struct err *e)
{
	char *base = arena_get(w->a, REPO_OID_SIZE, 1), *head = arena_get(w->a, REPO_OID_SIZE, 1);

	if (has(q->diff)) {
		w->text = true;
		return repo_diff_text(q->diff, w->a, &w->diff, e);
	}
	if (read_commits(w, q, base, head, e))
		return -1;
	out->base = NULL;
	if (*base)
		out->base = base;
	out->head = head;
	return repo_diff(w->repo, base, head, w->a, &w->diff, e);
}

/* ---- the texts ---- */

static size_t skip_lines(const char *p, size_t n, uint32_t lines)
{
	size_t i = 0;

	for (; i < n && lines; i++)
		lines -= p[i] == '\n';
	return i;
}

/* Whether the text at `p` is the hunk's old text, of which *there bytes exist in the file. */
static bool hunk_fits(const struct diff_hunk *h, const char *p, size_t left, size_t *there)
{
	size_t n = strlen(h->old_text);

	*there = n;
	if (left < n && n && h->old_text[n - 1] == '\n')
		*there = n - 1;		/* the file has no newline at its end */
	return left >= *there && !memcmp(p, h->old_text, *there);
}

/* Applies the hunks to a text.  INVALID_INPUT: they were not made from it. */
static int apply(const struct diff_file *d, const struct buf *old, struct buf *out, struct err *e)
{
	size_t at = 0, there;
	uint32_t line = 1;

	for (size_t i = 0; i < d->nhunks; i++) {
		const struct diff_hunk *h = &d->hunks[i];
		size_t n = 0;
		if (h->old_start >= line)
			n = skip_lines(old->p + at, old->n - at, h->old_start - line);
		buf_put(out, old->p + at, n);
		at += n;
		if (h->old_start < line || !hunk_fits(h, old->p + at, old->n - at, &there))
			return err_set(e, ERR_INVALID_INPUT,
			    "diff: line %u of %.100s does not match the indexed commit", h->old_start,
			    d->old_path);
		at += there;
		line = h->old_start + h->old_lines;
		buf_str(out, h->new_text);
	}
	buf_put(out, old->p + at, old->n - at);
	return 0;
}

static int read_side(
    struct changes_context *w, const char *blob, struct file_version *v, struct buf *text)
{
	if (!*blob || repo_blob_text(w->repo, blob, text, NULL))
		return -1;
	buf_str(text, "");	/* never NULL */
	*v = (struct file_version){ .text = text->p, .n = text->n };
	w->bytes += text->n;
	return 0;
}

/* The sides of a caller's diff: the indexed file, and that file with the hunks applied. */
static int apply_given_diff(struct changes_context *w, struct file_versions *p, struct err *e)
{
	struct diff_file *d = p->d;
	char blob[REPO_OID_SIZE];

	if (d->change != 'A') {
		struct err ignored = { 0 };
		if (repo_find_blob(w->repo, w->r->info.commit, d->old_path, blob, &ignored))
			return err_set(e, ERR_INVALID_INPUT, "diff: file `%.150s` is not in the indexed commit",
			    d->old_path);
		memcpy(d->old_blob, blob, REPO_OID_SIZE);
		if (read_side(w, d->old_blob, &p->old, &p->old_text))
			return 0;
	}
	if (d->change == 'D')
		return 0;
	buf_str(&p->old_text, "");	/* never NULL */
	buf_str(&p->new_text, "");
	if (!d->binary && apply(d, &p->old_text, &p->new_text, e))
		return -1;
	p->now = (struct file_version){ .text = p->new_text.p, .n = p->new_text.n };
	return 0;
}

static bool is_code(const struct diff_file *d)
{
	return !d->binary && !filter_skip_path(d->new_path) && !filter_skip_path(d->old_path);
}

static int read_file_texts(struct changes_context *w, struct file_versions *p, struct err *e)
{
	if (w->text) {
		if (apply_given_diff(w, p, e))
			return -1;
	} else {
		if (p->d->change != 'A')
			read_side(w, p->d->old_blob, &p->old, &p->old_text);
		if (p->d->change != 'D')
			read_side(w, p->d->new_blob, &p->now, &p->new_text);
	}
	bool small = p->old.n <= FILE_BYTES && p->now.n <= FILE_BYTES;
	p->compared = is_code(p->d) && small;
	if (is_code(p->d) && !small)
		w->left_out++;
	return 0;
}

int changed_texts_read(struct changes_context *w, struct err *e)
{
	for (size_t i = 0; i < w->diff.n; i++) {
		struct file_versions *p = &w->v[i];
		p->d = &w->diff.v[i];
		if (!is_code(p->d) && !w->text)
			continue;
		if (i >= FILES || w->bytes > BYTES) {
			w->left_out++;
			continue;
		}
		if (read_file_texts(w, p, e))
			return -1;
	}
	return 0;
}

/* ---- the definitions ---- */

/* The facts of a blob, if the index has it at this path. */
static const struct facts *indexed_facts(
    struct changes_context *w, const char *path, const char *blob)
{
	struct facts *out = NULL;

	if (!*blob)
		return NULL;
	struct stmt *s = db_prep(w->r->db,
	    "select x.facts from facts x join files f on f.id = x.file"
	    " where f.path = ? and f.blob = ?",
	    NULL);
	if (!s || db_bind(s, "ss", path, blob))
		return NULL;
	while (db_step(s, NULL) == 1) {
		size_t n;
		const void *p = db_blob(s, 0, &n);
		struct facts *f = arena_one(w->a, struct facts);
		if (!facts_decode(arena_strn(w->a, p, n), n, w->a, f, NULL))
			out = f;
	}
	return out;
}

struct outline_batch {
	struct outline_text *v;
	struct file_version **to;
	size_t n;
};

static void request_outline(struct changes_context *w, struct outline_batch *q, const char *path,
    const char *blob, struct file_version *v)
{
	if (!v->text)
		return;
	v->facts = indexed_facts(w, path, blob);
	if (v->facts)
		return;
	q->to[q->n] = v;
	q->v[q->n++] = (struct outline_text){ .path = path, .p = v->text, .n = v->n };
}

void changed_texts_read_definitions(struct changes_context *w)
{
	struct outline_batch q = { arena_many(w->a, 2 * w->diff.n, struct outline_text),
		arena_many(w->a, 2 * w->diff.n, struct file_version *), 0 };

	for (size_t i = 0; i < w->diff.n; i++) {
		struct file_versions *p = &w->v[i];
		if (!p->compared)
			continue;
		request_outline(w, &q, p->d->old_path, p->d->old_blob, &p->old);
		request_outline(w, &q, p->d->new_path, p->d->new_blob, &p->now);
	}
	outline_parse(q.v, q.n, w->sandbox, OUTLINE_MS, w->a, &w->outline);
	for (size_t i = 0; i < q.n; i++)
		q.to[i]->facts = q.v[i].facts;
	if (w->outline.code)
		changed_texts_add_reason(w, arena_str(w->a, w->outline.msg));
}
