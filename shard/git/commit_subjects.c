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

enum { MAX_SUBJECT_BYTES = 200 };		/* bytes of one that count */

/* What is known of a commit. */
struct commit_info {
	const char *subject;
	const char *paths;	/* each with its NUL; none when it tells of no file */
	size_t n;		/* bytes of these */
	bool visited, new;
};

/* A file. */
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

/* ---- what is kept ---- */

/* It can be had again, so one that is damaged begins anew. */
static struct db *open_commit_cache(const char *dir, struct arena *a)
{
	const char *path = arena_printf(a, "%s/told.db", dir);

	for (int i = 0; i < 2; i++) {
		struct err e = { 0 };
		struct db *db = db_open(path, DB_CREATE, &e);
		if (db &&
		    !db_exec(db,
		        "create table if not exists commits(id text primary key, subject text not null, paths blob not null) without rowid",
		        &e))
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

/* Write down what is new; what has not been met for long is gone. */
static void write_commit_cache(struct commit_subjects *t, struct db *db)
{
	struct err e = { 0 };
	size_t n = map_len(t->commits), met = 0;
	int rc = db_exec(db, "begin", &e);

	for (size_t i = 0; i < n; i++)
		met += ((struct commit_info *)map_val(t->commits, i))->visited;
	for (size_t i = 0; !rc && i < n; i++) {
		const struct commit_info *f = map_val(t->commits, i);
		if (f->new)
			rc = db_run(db, &e, "insert into commits values(?, ?, ?)", "ssb",
			    map_key(t->commits, i), f->subject, (const void *)f->paths, f->n);
		else if (!f->visited && n > 2 * met)
			rc = db_run(db, &e, "delete from commits where id = ?", "s", map_key(t->commits, i));
	}
	if (rc || db_exec(db, "commit", &e))
		log_warn("commit_subjects.cache_failed", "message=%s", log_quote(e.msg));
}

/* ---- what commits changed ---- */

/* The files of a commit; false: that is not known, as its parent is not here. */
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
			*at = calloc(1, sizeof(struct file_subjects));
		struct file_subjects *s = *at;
		if (!s)
			die("out of memory");
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

/* ---- all of it ---- */

struct commit_subjects *commit_subjects_read(
    const char *dir, struct repo *repo, const char *commit, struct err *e)
{
	struct commit_subjects *t = xcalloc(1, sizeof *t);

	*t = (struct commit_subjects){ .a = arena_new(), .scratch = arena_new(), .repo = repo, .commits = map_new(), .files = map_new() };
	struct db *kept = open_commit_cache(dir, t->a);
	if (kept)
		read_commit_cache(t, kept);
	int rc = repo_each_ancestor(repo, commit, COMMIT_SUBJECTS_MAX_COMMITS, visit_commit, t, e);
	if (!rc && kept)
		write_commit_cache(t, kept);
	db_close(kept);
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

	return s ? s->text.p : NULL;
}

uint64_t commit_subjects_fingerprint(const char *commit)
{
	return text_id(commit, COMMIT_SUBJECTS_VERSION, 0, NULL);
}
