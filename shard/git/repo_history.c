/* The history of a repository: implements a part of repo.h. */
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/map.h"
#include "shard/git/folder.h"

/* The object at a path in each commit that was read. */
struct path_history {
	struct repo *r;
	const char *path;
	struct map *seen;	/* commit -> git_oid of the path, in `a` */
	struct arena *a;
};

static const git_oid none;	/* the path does not exist */

/* The object at the path in a commit, or NULL if it cannot be read. */
static const git_oid *path_oid_at(struct path_history *p, const git_oid *commit)
{
	char hex[REPO_OID_SIZE];
	git_commit *c = NULL;
	struct folder_entry entry = { .type = FOLDER_FOLDER };
	const char *fault = NULL;

	void **slot = map_at(p->seen, git_oid_tostr(hex, sizeof hex, commit));
	if (*slot)
		return *slot;
	if (git_commit_lookup(&c, p->r->git, commit))
		return NULL;
	entry.id = *git_commit_tree_id(c);
	git_commit_free(c);
	if (*p->path)
		fault = folder_find(p->r, &entry.id, p->path, &entry);
	if (fault)
		return NULL;
	git_oid *out = arena_one(p->a, git_oid);
	if (entry.type != FOLDER_NONE)
		*out = entry.id;
	*slot = out;
	return out;
}

/*
 * Whether the path differs from that in each parent.  False if a side cannot be read, as the answer
 * is unknown.
 */
static bool commit_changes_path(struct path_history *p, const git_commit *c, bool *missing)
{
	const git_oid *now = path_oid_at(p, git_commit_id(c));
	unsigned parents = git_commit_parentcount(c);

	*missing |= !now;
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
	struct path_commit found = { author->email, author->name, author->when.time };
	if (!*found.who)
		found.who = author->name;
	each(arg, &found);
	git_signature_free(author);
}

/* A walk that starts at the commit, or NULL. */
static git_revwalk *walk_from(struct repo *r, const char *commit)
{
	git_revwalk *walk = NULL;
	git_oid id;

	if (git_oid_fromstr(&id, commit) || git_revwalk_new(&walk, r->git))
		return NULL;
	if (!git_revwalk_push(walk, &id))
		return walk;
	git_revwalk_free(walk);
	return NULL;
}

int repo_path_history(struct repo *r, const char *commit, const char *path, uint64_t max_commits,
    uint64_t enough, int64_t deadline_ms, void (*each)(void *, const struct path_commit *),
    void *arg, uint64_t *looked_at, bool *complete, struct err *e)
{
	struct path_history p = { .r = r, .path = path, .seen = map_new(), .a = arena_new() };
	git_mailmap *mailmap = NULL;
	git_revwalk *walk = walk_from(r, commit);
	bool missing = false;
	uint64_t found = 0;
	git_oid id;
	int rc = walk ? 0 : -1;

	*looked_at = 0;
	if (walk && git_mailmap_from_repository(&mailmap, r->git))
		mailmap = NULL;
	while (!rc && *looked_at < max_commits && found < enough && clock_ms() < deadline_ms) {
		git_commit *c = NULL;
		rc = git_revwalk_next(&id, walk);
		if (rc)
			break;
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
	}
	*complete = rc == GIT_ITEROVER && !missing;
	bool failed = rc && rc != GIT_ITEROVER && !*looked_at;
	if (failed)
		repo_fail(e, commit);
	git_mailmap_free(mailmap);
	git_revwalk_free(walk);
	map_free(p.seen);
	arena_free(p.a);
	return failed ? -1 : 0;
}

int repo_each_ancestor(struct repo *r, const char *commit, size_t max_commits,
    void (*each)(void *, const char *oid), void *arg, struct err *e)
{
	git_revwalk *walk = walk_from(r, commit);
	char hex[REPO_OID_SIZE];
	git_oid id;

	if (!walk)
		return repo_fail(e, commit);
	for (size_t i = 0; i < max_commits && !git_revwalk_next(&id, walk); i++)
		each(arg, git_oid_tostr(hex, sizeof hex, &id));
	git_revwalk_free(walk);
	return 0;
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
