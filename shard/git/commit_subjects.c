#include "shard/git/commit_subjects.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "proto/text/text_id.h"
#include "shard/git/repo.h"

enum { MAX_SUBJECT_BYTES = 200 };		/* a longer subject is cut */

struct commit_info {
	const char *subject;
	const char *paths;	/* each NUL-terminated; empty if the commit does not count */
	size_t n;		/* bytes of `paths` */
	bool visited, new;	/* met in this walk; not in the cache file yet */
};

struct file_subjects {
	struct buf text;
	size_t subjects;
};

struct commit_subjects {
	struct arena *a, *scratch;
	struct repo *repo;
	struct map *commits;	/* commit -> struct commit_info */
	struct map *files;	/* path -> struct file_subjects */
};

/* ---- the cache file ---- */

/* The cache can be computed again, so a damaged file is deleted and replaced by an empty one. */
static struct db *open_commit_cache(const char *dir, struct arena *a)
{
	static const char schema[] = "create table if not exists commits(id text primary key, "
	    "subject text not null, paths blob not null) without rowid";
	const char *path = arena_printf(a, "%s/told.db", dir);

	for (int i = 0; i < 2; i++) {
		struct err e = { 0 };
		struct db *db = db_open(path, DB_CREATE, &e);
		if (db && !db_exec(db, schema, &e))
			return db;
		log_warn("commit_subjects.cache_failed", "path=%s message=%s", log_quote(path),
		    log_quote(e.msg));
		db_close(db);
		unlink(path);
	}
	return NULL;
}

static void read_commit_cache(struct commit_subjects *t, struct db *db)
{
	struct stmt *s = db_prep(db, "select id, subject, paths from commits", NULL);

	while (s && db_step(s, NULL) == 1) {
		struct commit_info *f = arena_one(t->a, struct commit_info);
		const void *paths = db_blob(s, 2, &f->n);
		f->subject = arena_str(t->a, db_str(s, 1));
		if (f->n)
			f->paths = memcpy(arena_many(t->a, f->n, char), paths, f->n);
		else
			f->paths = "";
		*map_at(t->commits, db_str(s, 0)) = f;
	}
}

static size_t count_visited(const struct commit_subjects *t)
{
	size_t visited = 0;

	for (size_t i = 0; i < map_len(t->commits); i++) {
		const struct commit_info *f = map_val(t->commits, i);
		visited += f->visited;
	}
	return visited;
}

/*
 * Store the new commits.  Once most of the cache is commits that this walk did not meet, they are
 * deleted.
 */
static void write_commit_cache(struct commit_subjects *t, struct db *db)
{
	struct err e = { 0 };
	size_t n = map_len(t->commits), visited = count_visited(t);
	int rc = db_exec(db, "begin", &e);

	for (size_t i = 0; !rc && i < n; i++) {
		const struct commit_info *f = map_val(t->commits, i);
		if (f->new)
			rc = db_run(db, &e, "insert into commits values(?, ?, ?)", "ssb",
			    map_key(t->commits, i), f->subject, (const void *)f->paths, f->n);
		else if (!f->visited && n > 2 * visited)
			rc = db_run(db, &e, "delete from commits where id = ?", "s", map_key(t->commits, i));
	}
	if (rc || db_exec(db, "commit", &e))
		log_warn("commit_subjects.cache_failed", "message=%s", log_quote(e.msg));
}

/* ---- what commits changed ---- */

/* Fill in subject and files of a commit.  False if its parent is missing, as in a shallow clone. */
static bool read_changed_paths(struct commit_subjects *t, const char *commit, struct commit_info *f)
{
	struct tree_changes changes = { 0 };
	char parent[REPO_OID_SIZE];

	f->paths = "";
	f->subject = repo_subject(t->repo, commit, MAX_SUBJECT_BYTES, t->a);
	if (!*f->subject || repo_parent(t->repo, commit, parent) != 1)
		return true;
	if (repo_changes(t->repo, parent, commit, t->scratch, &changes, NULL)) {
		free(changes.v);
		return false;
	}
	struct buf paths = { 0 };
	for (size_t i = 0; changes.n <= COMMIT_SUBJECTS_MAX_FILES && i < changes.n; i++) {
		const char *path = changes.v[i].new.path ? changes.v[i].new.path : changes.v[i].old.path;
		buf_put(&paths, path, strlen(path) + 1);
	}
	if (paths.n)
		f->paths = memcpy(arena_many(t->a, paths.n, char), paths.p, paths.n);
	f->n = paths.n;
	buf_free(&paths);
	free(changes.v);
	arena_reset(t->scratch);
	return true;
}

static void add_subject_to_files(struct commit_subjects *t, const struct commit_info *f)
{
	for (const char *path = f->paths; path < f->paths + f->n; path += strlen(path) + 1) {
		void **at = map_at(t->files, path);
		if (!*at)
			*at = xcalloc(1, sizeof(struct file_subjects));
		struct file_subjects *s = *at;
		if (s->subjects++ < COMMIT_SUBJECTS_MAX_PER_FILE)
			buf_printf(&s->text, "%s%s", s->text.n ? "\n" : "", f->subject);
	}
}

static void visit_commit(void *arg, const char *commit)
{
	struct commit_subjects *t = arg;
	struct commit_info *f = map_get(t->commits, commit);

	if (!f) {
		f = arena_one(t->a, struct commit_info);
		if (!read_changed_paths(t, commit, f))
			return;
		f->new = true;
		*map_at(t->commits, commit) = f;
	}
	f->visited = true;
	add_subject_to_files(t, f);
}

/* ---- the walk over the history ---- */

struct commit_subjects *commit_subjects_read(
    const char *dir, struct repo *repo, const char *commit, struct err *e)
{
	struct commit_subjects *t = xcalloc(1, sizeof *t);

	t->a = arena_new();
	t->scratch = arena_new();
	t->repo = repo;
	t->commits = map_new();
	t->files = map_new();
	struct db *cache = open_commit_cache(dir, t->a);
	if (cache)
		read_commit_cache(t, cache);
	int rc = repo_each_ancestor(repo, commit, COMMIT_SUBJECTS_MAX_COMMITS, visit_commit, t, e);
	if (!rc && cache)
		write_commit_cache(t, cache);
	db_close(cache);
	if (!rc)
		return t;
	commit_subjects_free(t);
	return NULL;
}

void commit_subjects_free(struct commit_subjects *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < map_len(t->files); i++) {
		struct file_subjects *s = map_val(t->files, i);
		buf_free(&s->text);
		free(s);
	}
	map_free(t->files);
	map_free(t->commits);
	arena_free(t->scratch);
	arena_free(t->a);
	free(t);
}

const char *commit_subjects_get(const struct commit_subjects *t, const char *path)
{
	const struct file_subjects *s = map_get(t->files, path);

	if (!s)
		return NULL;
	return s->text.p;
}

uint64_t commit_subjects_fingerprint(const char *commit)
{
	return text_id(commit, COMMIT_SUBJECTS_VERSION, 0, NULL);
}
