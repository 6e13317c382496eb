/* Revisions and the differences between them: implements a part of repo.h. */
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo_internal.h"
#include "shard/git/unified_diff.h"

/* ---- revisions ---- */

/*
 * Whether the expression begins with a ref whose object is missing.  libgit2 (1.5) would leak that
 * ref.
 */
static bool dangles(struct repo *r, const char *name)
{
	struct buf start = { 0 };
	git_reference *ref = NULL;

	buf_put(&start, name, strcspn(name, "~^@:"));
	if (!start.n)
		buf_str(&start, "HEAD");
	bool lost = !git_reference_dwim(&ref, r->git, start.p) &&
	    !git_odb_exists(r->odb, git_reference_target(ref));
	git_reference_free(ref);
	buf_free(&start);
	return lost;
}

int repo_revision(struct repo *r, const char *name, char oid[REPO_OID_SIZE], struct err *e)
{
	git_object *any = NULL, *commit = NULL;
	int rc = dangles(r, name) || git_revparse_single(&any, r->git, name) ||
	    git_object_peel(&commit, any, GIT_OBJECT_COMMIT);

	if (rc) {
		err_set(e, ERR_INVALID_INPUT, "`%.100s` is not a commit of this repository", name);
		err_hint(
		    e, "Use a branch, a tag or a commit id; `origin/NAME` for a branch of the remote.");
	} else {
		git_oid_tostr(oid, REPO_OID_SIZE, git_object_id(commit));
	}
	git_object_free(any);
	git_object_free(commit);
	return rc ? -1 : 0;
}

/* The tip of the default branch, of the remote as of the last fetch, else of this repository. */
static bool default_tip(struct repo *r, git_oid *out)
{
	static const char *const prefixes[] = { "refs/remotes/origin/", "refs/heads/" };
	struct arena *a = arena_new();
	const char *branch = repo_branch(r, a);
	bool found = false;

	for (size_t i = 0; branch && !found && i < LEN(prefixes); i++) {
		const char *name = arena_printf(a, "%s%s", prefixes[i], branch);
		found = !git_reference_name_to_id(out, r->git, name);
	}
	arena_free(a);
	return found;
}

int repo_change_base(struct repo *r, const char *head, char oid[REPO_OID_SIZE], struct err *e)
{
	git_commit *c = NULL;
	git_oid id, tip, base;

	*oid = 0;
	if (git_oid_fromstr(&id, head) || git_commit_lookup(&c, r->git, &id))
		return repo_fail(e, head);
	bool has_base = default_tip(r, &tip) && !git_merge_base(&base, r->git, &id, &tip);
	if (has_base && !git_oid_equal(&base, &id))
		git_oid_tostr(oid, REPO_OID_SIZE, &base);
	else if (git_commit_parentcount(c))
		git_oid_tostr(oid, REPO_OID_SIZE, git_commit_parent_id(c, 0));
	git_commit_free(c);
	return 0;
}

/* ---- lines ---- */

/* Reads the lines of one file; `now` is the run of changed lines in progress. */
struct diff_reader {
	struct diff_file *d;
	struct { struct diff_hunk *v; size_t n, cap; } hunks;
	struct buf old_text, new_text;
	struct diff_hunk now;
	uint32_t old_at, new_at;	/* lines before the next one */
	uint64_t *budget;		/* lines that may still be read */
	struct arena *a;
};

static const char *hunk_text(const struct buf *text, struct arena *a)
{
	if (!text->n)
		return "";
	return text_utf8(text->p, text->n, a);
}

static void end_hunk(struct diff_reader *x)
{
	if (x->now.old_lines || x->now.new_lines) {
		x->now.old_text = hunk_text(&x->old_text, x->a);
		x->now.new_text = hunk_text(&x->new_text, x->a);
		x->hunks.v = grow(x->hunks.v, &x->hunks.cap, x->hunks.n + 1, sizeof *x->hunks.v);
		x->hunks.v[x->hunks.n++] = x->now;
	}
	x->now = (struct diff_hunk){ 0 };
	x->old_text.n = x->new_text.n = 0;
}

static void put_line(struct diff_reader *x, const git_diff_line *l)
{
	bool old = l->origin == GIT_DIFF_LINE_DELETION, new = l->origin == GIT_DIFF_LINE_ADDITION;

	if (l->origin == GIT_DIFF_LINE_CONTEXT) {
		end_hunk(x);
		x->old_at = (uint32_t)l->old_lineno;
		x->new_at = (uint32_t)l->new_lineno;
	}
	if (!old && !new)
		return;
	if (!x->now.old_lines && !x->now.new_lines)
		x->now = (struct diff_hunk){ .old_start = x->old_at + 1, .new_start = x->new_at + 1 };
	buf_put(old ? &x->old_text : &x->new_text, l->content, l->content_len);
	x->old_at += old;
	x->new_at += new;
	x->now.old_lines += old;
	x->now.new_lines += new;
	x->d->added += new;
	x->d->removed += old;
	--*x->budget;
}

static int put_hunk(struct diff_reader *x, git_patch *patch, size_t i)
{
	const git_diff_hunk *h;
	size_t lines;

	if (git_patch_get_hunk(&h, &lines, patch, i))
		return -1;
	/* libgit2 numbers a side without lines by the line before it */
	x->old_at = (uint32_t)h->old_start - (h->old_lines > 0);
	x->new_at = (uint32_t)h->new_start - (h->new_lines > 0);
	for (size_t k = 0; k < lines && *x->budget; k++) {
		const git_diff_line *l;
		if (git_patch_get_line_in_hunk(&l, patch, i, k))
			return -1;
		put_line(x, l);
	}
	end_hunk(x);
	return 0;
}

static int put_patch(
    struct diff_file *d, git_diff *diff, size_t i, uint64_t *budget, struct arena *a)
{
	struct diff_reader x = { .d = d, .budget = budget, .a = a };
	git_patch *patch = NULL;
	int rc = git_patch_from_diff(&patch, diff, i);

	for (size_t h = 0; !rc && patch && *budget && h < git_patch_num_hunks(patch); h++)
		rc = put_hunk(&x, patch, h);
	d->hunks = arena_many(a, x.hunks.n, struct diff_hunk);
	d->nhunks = x.hunks.n;
	if (x.hunks.n)
		memcpy(d->hunks, x.hunks.v, x.hunks.n * sizeof *x.hunks.v);
	free(x.hunks.v);
	buf_free(&x.old_text);
	buf_free(&x.new_text);
	git_patch_free(patch);
	return rc;
}

/* ---- files ---- */

static void put_blob(char out[REPO_OID_SIZE], const git_diff_file *f)
{
	*out = 0;
	if ((f->flags & GIT_DIFF_FLAG_VALID_ID) && f->id_abbrev >= GIT_OID_HEXSZ &&
	    !git_oid_is_zero(&f->id))
		git_oid_tostr(out, REPO_OID_SIZE, &f->id);
}

static char change_of(git_delta_t status)
{
	if (status == GIT_DELTA_ADDED || status == GIT_DELTA_COPIED)
		return 'A';
	if (status == GIT_DELTA_DELETED)
		return 'D';
	if (status == GIT_DELTA_RENAMED)
		return 'R';
	return 'M';
}

/* The path, or the other side's where this one has none; NULL if neither has. */
static const char *path_of(const char *path, const char *other, struct arena *a)
{
	if (!path)
		path = other;
	if (!path)
		return NULL;
	return text_utf8(path, strlen(path), a);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct diff_file *)a)->new_path, ((const struct diff_file *)b)->new_path);
}

static int put_files(git_diff *diff, struct arena *a, struct diff *out)
{
	uint64_t budget = DIFF_MAX_LINES;
	int rc = 0;

	out->total = git_diff_num_deltas(diff);
	out->v = arena_many(a, MIN(out->total, DIFF_MAX_FILES), struct diff_file);
	for (size_t i = 0; !rc && i < out->total && i < DIFF_MAX_FILES; i++) {
		const git_diff_delta *g = git_diff_get_delta(diff, i);
		struct diff_file *d = &out->v[out->n++];
		d->change = change_of(g->status);
		d->old_path = path_of(g->old_file.path, g->new_file.path, a);
		d->new_path = path_of(g->new_file.path, g->old_file.path, a);
		put_blob(d->old_blob, &g->old_file);
		put_blob(d->new_blob, &g->new_file);
		if (budget)
			rc = put_patch(d, diff, i, &budget, a);
		g = git_diff_get_delta(diff, i);	/* libgit2 sets the flag while it reads the patch */
		d->binary = g->flags & GIT_DIFF_FLAG_BINARY;
	}
	out->cut = !budget || out->n < out->total;
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_path);
	return rc;
}

/* `from` NULL: an empty tree. */
static int diff_trees(struct repo *r, git_tree *from, git_tree *to, struct arena *a,
    struct diff *out, struct err *e)
{
	git_diff_options options;
	git_diff_find_options find;
	git_diff *diff = NULL;

	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	git_diff_find_options_init(&find, GIT_DIFF_FIND_OPTIONS_VERSION);
	options.context_lines = 0;
	options.interhunk_lines = 0;
	options.flags = GIT_DIFF_IGNORE_SUBMODULES;
	options.max_size = 16 << 20;
	find.flags = GIT_DIFF_FIND_RENAMES;
	int rc = git_diff_tree_to_tree(&diff, r->git, from, to, &options);
	if (!rc)
		rc = git_diff_find_similar(diff, &find);
	if (!rc)
		rc = put_files(diff, a, out);
	if (rc)
		repo_fail(e, "the commits cannot be compared");
	git_diff_free(diff);
	return rc ? -1 : 0;
}

/* Both trees as libgit2 needs them; `old` NULL: an empty tree. */
static int diff_ids(struct repo *r, const git_oid *old, const git_oid *new, struct arena *a,
    struct diff *out, struct err *e)
{
	git_tree *from = NULL, *to = NULL;

	if (!repo_comparable(r, old, new))
		return err_set(e, ERR_INVALID_INPUT,
		    "the commits differ in too many files, or in folders that cannot be read");
	int rc = git_tree_lookup(&to, r->git, new);
	if (!rc && old)
		rc = git_tree_lookup(&from, r->git, old);
	if (rc)
		err_set(e, ERR_INVALID_INPUT, "the commits cannot be compared: %s", repo_libgit2_message());
	else
		rc = diff_trees(r, from, to, a, out, e);
	git_tree_free(from);
	git_tree_free(to);
	return rc ? -1 : 0;
}

int repo_diff(struct repo *r, const char *base, const char *head, struct arena *a, struct diff *out,
    struct err *e)
{
	const git_oid *from = NULL;
	git_oid old, new;

	*out = (struct diff){ 0 };
	if (*base) {
		if (repo_tree_of(r, base, &old, e))
			return -1;
		from = &old;
	}
	if (repo_tree_of(r, head, &new, e))
		return -1;
	return diff_ids(r, from, &new, a, out, e);
}

int repo_diff_text(const char *text, struct arena *a, struct diff *out, struct err *e)
{
	const char *normalized = unified_diff_normalize(text, a);
	git_diff *diff = NULL;
	int rc = git_diff_from_buffer(&diff, normalized, strlen(normalized));

	*out = (struct diff){ 0 };
	if (!rc)
		rc = put_files(diff, a, out);
	if (rc || !out->total) {
		const char *why = "it contains no file";
		if (rc)
			why = repo_libgit2_message();
		err_set(e, ERR_INVALID_INPUT, "diff: not a unified diff: %.120s", why);
		err_hint(e, "Pass the output of `git diff` (without colours), with at least one file.");
		rc = -1;
	}
	git_diff_free(diff);
	return rc;
}
