/* The objects of a repository, and why they cannot be read: a part of repo.h. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/directory.h"
#include "proto/record/gaps.h"
#include "shard/base/text_lines.h"
#include "shard/git/folder.h"

/* git marks a pack whose objects refer to others that their remote has promised. */
static bool has_promisor_pack(struct repo *r)
{
	char path[4096];
	bool found = false;
	struct dirent *x;

	snprintf(path, sizeof path, "%s/objects/pack", git_repository_commondir(r->git));
	DIR *d = directory_open(path);
	while (d && !found && (x = readdir(d))) {
		const char *dot = strrchr(x->d_name, '.');
		found = dot && !strcmp(dot, ".promisor");
	}
	if (d)
		closedir(d);
	return found;
}

const char *object_fault(struct repo *r, int rc)
{
	if (repo_alloc_refused())
		return "unpack-limit";
	if (rc == GIT_EINVALID)
		return "wrong-type";
	if (rc != GIT_ENOTFOUND)
		return "corrupt";
	if (!r->checked_partial)
		r->partial = repo_is_partial(r) || has_promisor_pack(r);
	r->checked_partial = true;
	return r->partial ? "partial-clone" : "missing";
}

/* UNAVAILABLE, because another replica may have what cannot be read here. */
static int fail_unreadable(struct err *e, const char *what, const char *cause)
{
	const struct gap_kind *kind = gap_kind(cause);
	bool absent = !strcmp(cause, "missing") || !strcmp(cause, "partial-clone");
	const char *verb = absent ? "is missing" : "cannot be read";

	if (!strcmp(cause, "unpack-limit"))
		return err_set(e, ERR_INVALID_INPUT, "%.120s takes more than %zu MB to unpack", what,
		    repo_alloc_limit() >> 20);
	err_set(e, ERR_UNAVAILABLE, "%.120s %s (%s): %s", what, verb, cause, kind->what);
	return err_hint(e, "In the repository: %s.", kind->remedy);
}

int repo_fail_object(struct repo *r, struct err *e, const char *oid, int rc)
{
	char what[60];

	snprintf(what, sizeof what, "object %.12s", oid);
	return fail_unreadable(e, what, object_fault(r, rc));
}

int repo_fail_folder(struct err *e, const char *path, const char *cause)
{
	char what[200];

	snprintf(what, sizeof what, "a folder of `%.120s`", path);
	return fail_unreadable(e, what, cause);
}

int repo_tree_of(struct repo *r, const char *commit, git_oid *tree, struct err *e)
{
	git_commit *c = NULL;
	git_oid id;

	if (git_oid_fromstr(&id, commit))
		return repo_fail(e, commit);
	if (!git_oid_is_zero(&r->tree) && git_oid_equal(&id, &r->tree_of)) {
		*tree = r->tree;
		return 0;
	}
	int rc = git_commit_lookup(&c, r->git, &id);
	if (rc)
		return repo_fail_object(r, e, commit, rc);
	r->tree_of = id;
	r->tree = *tree = *git_commit_tree_id(c);
	git_commit_free(c);
	return 0;
}

int repo_find_blob(
    struct repo *r, const char *commit, const char *path, char blob[REPO_OID_SIZE], struct err *e)
{
	struct folder_entry x;
	git_oid tree;

	if (repo_tree_of(r, commit, &tree, e))
		return -1;
	const char *fault = folder_find(r, &tree, path, &x);
	if (fault)
		return repo_fail_folder(e, path, fault);
	if (x.type != FOLDER_FILE && x.type != FOLDER_SYMLINK)
		return err_set(
		    e, ERR_NOT_FOUND, "file `%.120s` does not exist at commit %.12s", path, commit);
	git_oid_tostr(blob, REPO_OID_SIZE, &x.id);
	return 0;
}

/* Reads an object that must be a blob. */
static int read_blob(struct repo *r, const git_oid *id, git_odb_object **out)
{
	int rc = git_odb_read(out, r->odb, id);

	if (rc || git_odb_object_type(*out) == GIT_OBJECT_BLOB)
		return rc;
	git_odb_object_free(*out);
	return GIT_EINVALID;
}

int repo_blob(struct repo *r, const char *blob, struct buf *out, struct err *e)
{
	git_odb_object *o = NULL;
	git_oid id;

	int rc = git_oid_fromstr(&id, blob);
	if (!rc)
		rc = read_blob(r, &id, &o);
	if (rc)
		return repo_fail_object(r, e, blob, rc);
	buf_put(out, git_odb_object_data(o), git_odb_object_size(o));
	git_odb_object_free(o);
	return 0;
}

const char *repo_blob_fault(struct repo *r, const char *blob)
{
	git_odb_object *o = NULL;
	git_oid id;

	if (git_oid_fromstr(&id, blob))
		return "missing";
	int rc = read_blob(r, &id, &o);
	if (rc)
		return object_fault(r, rc);
	git_odb_object_free(o);
	return NULL;
}

static bool is_folder_readable(struct repo *r, const git_oid *id)
{
	struct folder f;
	const char *fault = folder_read(r, id, &f);

	folder_free(&f);
	return !fault;
}

bool repo_is_readable(struct repo *r, const char *commit, const char *path)
{
	char blob[REPO_OID_SIZE], trimmed[4096];
	struct folder_entry x;
	git_oid tree;

	snprintf(trimmed, sizeof trimmed, "%s", path);
	size_t n = strlen(trimmed);
	if (n && trimmed[n - 1] == '/')
		trimmed[n - 1] = 0;
	if (repo_tree_of(r, commit, &tree, NULL) || folder_find(r, &tree, trimmed, &x))
		return false;
	if (x.type == FOLDER_FOLDER)
		return is_folder_readable(r, &x.id);
	return x.type != FOLDER_NONE && !repo_blob_fault(r, git_oid_tostr(blob, sizeof blob, &x.id));
}

int64_t repo_shallow_ends(struct repo *r)
{
	char path[4096], line[100];
	int64_t n = 0;

	snprintf(path, sizeof path, "%s/shallow", git_repository_commondir(r->git));
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		n++;
	if (f)
		fclose(f);
	return n;
}

int repo_blob_text(struct repo *r, const char *blob, struct buf *out, struct err *e)
{
	if (repo_blob(r, blob, out, e))
		return -1;
	text_decode(out);
	return 0;
}
