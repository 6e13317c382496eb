/* The history of a repository: repo.h. */
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/map.h"
#include "shard/git/repo_internal.h"

/* What a path was in each commit that was looked at. */
struct path_history {
	struct repo *r;
	const char *path;
	struct map *seen;	/* commit -> git_oid of the path, in `a` */
	struct arena *a;
};

static const git_oid none;	/* of a path that is not there */

/* The object at the path in a commit, or NULL: the commit is not here. */
static const git_oid *path_oid_at(struct path_history *p, const git_oid *commit)
{
	char hex[REPO_OID_SIZE];
	git_commit *c = NULL;
	git_tree *tree = NULL;
	git_tree_entry *t = NULL;

	void **slot = map_at(p->seen, git_oid_tostr(hex, sizeof hex, commit));
	if (*slot)
		return *slot;
	if (git_commit_lookup(&c, p->r->git, commit))
		return NULL;
	git_oid *out = arena_one(p->a, git_oid);
	if (!*p->path)
		*out = *git_commit_tree_id(c);
	else if (!git_commit_tree(&tree, c) && !git_tree_entry_bypath(&t, tree, p->path))
		*out = *git_tree_entry_id(t);
	git_tree_entry_free(t);
	git_tree_free(tree);
	git_commit_free(c);
	return *slot = out;
}

/*
 * Whether the commit's path is that of none of its parents; a commit whose parents are not here
 * says nothing.
 */
static bool commit_changes_path(struct path_history *p, const git_commit *c, bool *missing)
{
	const git_oid *now = path_oid_at(p, git_commit_id(c));
	unsigned parents = git_commit_parentcount(c);

	if (!now)
		return false;
	for (unsigned i = 0; i < parents; i++) {
		const git_oid *was = path_oid_at(p, git_commit_parent_id(c, i));
		*missing |= !was;
		if (!was || git_oid_equal(was, now))
			return false;
	}
	return parents || !git_oid_equal(now, &none);
}

static void report_commit(const git_commit *c, const git_mailmap *mailmap,
    void (*each)(void *, const struct path_commit *), void *arg)
{
	git_signature *author = NULL;

	if (git_commit_author_with_mailmap(&author, c, mailmap))
		return;
	each(arg,
	    &(struct path_commit){
	        *author->email ? author->email : author->name, author->name, author->when.time });
	git_signature_free(author);
}

int repo_path_history(struct repo *r, const char *commit, const char *path, uint64_t most,
    uint64_t enough, int64_t deadline_ms, void (*each)(void *, const struct path_commit *),
    void *arg, uint64_t *looked_at, bool *complete, struct err *e)
{
	struct path_history p = { .r = r, .path = path, .seen = map_new(), .a = arena_new() };
	git_mailmap *mailmap = NULL;
	git_revwalk *walk = NULL;
	git_commit *c = NULL;
	bool missing = false;
	uint64_t found = 0;
	git_oid id;
	int rc = git_oid_fromstr(&id, commit) || git_revwalk_new(&walk, r->git) ||
	    git_revwalk_push(walk, &id);

	*looked_at = 0;
	if (!rc && git_mailmap_from_repository(&mailmap, r->git))
		mailmap = NULL;
	while (!rc && *looked_at < most && found < enough && clock_ms() < deadline_ms &&
	    !(rc = git_revwalk_next(&id, walk))) {
		if (git_commit_lookup(&c, r->git, &id)) {
			missing = true;
			continue;
		}
		++*looked_at;
		if (commit_changes_path(&p, c, &missing)) {
			report_commit(c, mailmap, each, arg);
			found++;
		}
		git_commit_free(c);
		c = NULL;
	}
	*complete = rc == GIT_ITEROVER && !missing;
	if (rc && rc != GIT_ITEROVER && !*looked_at)
		repo_fail(e, commit);
	else
		rc = 0;
	git_mailmap_free(mailmap);
	git_revwalk_free(walk);
	map_free(p.seen);
	arena_free(p.a);
	return rc ? -1 : 0;
}

int repo_each_ancestor(struct repo *r, const char *commit, size_t most,
    void (*each)(void *, const char *oid), void *arg, struct err *e)
{
	git_revwalk *walk = NULL;
	char hex[REPO_OID_SIZE];
	git_oid id;
	int rc = 0;

	if (git_oid_fromstr(&id, commit) || git_revwalk_new(&walk, r->git) ||
	    git_revwalk_push(walk, &id))
		rc = repo_fail(e, commit);
	for (size_t i = 0; !rc && i < most && !git_revwalk_next(&id, walk); i++)
		each(arg, git_oid_tostr(hex, sizeof hex, &id));
	git_revwalk_free(walk);
	return rc;
}

int repo_parent(struct repo *r, const char *commit, char parent[REPO_OID_SIZE])
{
	git_commit *c = NULL;
	git_oid id;

	*parent = 0;
	if (git_oid_fromstr(&id, commit) || git_commit_lookup(&c, r->git, &id))
		return -1;
	int n = (int)git_commit_parentcount(c);
	if (n)
		git_oid_tostr(parent, REPO_OID_SIZE, git_commit_parent_id(c, 0));
	git_commit_free(c);
	return n;
}
