#include "shard/git/commit_subjects.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "proto/text/text_id.h"
#include "shard/git/repo.h"

enum { SUBJECT = 200 };		/* bytes of one that count */

/* What is known of a commit. */
struct fact {
	const char *subject;
	const char *paths;	/* each with its NUL; none when it tells of no file */
	size_t n;		/* bytes of these */
	bool met, new;
};

/* A file. */
struct says {
	struct buf text;
	size_t subjects;
};

struct told {
	struct arena *a, *scratch;
	struct repo *repo;
	struct map *facts;	/* commit -> struct fact */
	struct map *files;	/* path -> struct says */
};

/* ---- what is kept ---- */

/* It can be had again, so one that is damaged begins anew. */
static struct db *open_kept(const char *dir, struct arena *a)
{
	const char *path = arena_printf(a, "%s/told.db", dir);

	for (int i = 0; i < 2; i++) {
		struct err e = { 0 };
		struct db *db = db_open(path, DB_CREATE, &e);
		if (db && !db_exec(db, "create table if not exists commits(id text primary key, subject text not null, paths blob not null) without rowid", &e))
			return db;
		log_warn("told.kept", "path=%s message=%s", log_quote(path), log_quote(e.msg));
		db_close(db);
		unlink(path);
	}
	return NULL;
}

static void read_kept(struct told *t, struct db *db)
{
	struct stmt *s = db_prep(db, "select id, subject, paths from commits", NULL);

	while (s && db_step(s, NULL) == 1) {
		struct fact *f = arena_one(t->a, struct fact);
		const void *paths = db_blob(s, 2, &f->n);
		f->subject = arena_str(t->a, db_str(s, 1));
		f->paths = f->n ? memcpy(arena_many(t->a, f->n, char), paths, f->n) : "";
		*map_at(t->facts, db_str(s, 0)) = f;
	}
}

/* Write down what is new; what has not been met for long is gone. */
static void keep(struct told *t, struct db *db)
{
	struct err e = { 0 };
	size_t n = map_len(t->facts), met = 0;
	int rc = db_exec(db, "begin", &e);

	for (size_t i = 0; i < n; i++)
		met += ((struct fact *)map_val(t->facts, i))->met;
	for (size_t i = 0; !rc && i < n; i++) {
		const struct fact *f = map_val(t->facts, i);
		if (f->new)
			rc = db_run(db, &e, "insert into commits values(?, ?, ?)", "ssb", map_key(t->facts, i), f->subject, (const void *)f->paths, f->n);
		else if (!f->met && n > 2 * met)
			rc = db_run(db, &e, "delete from commits where id = ?", "s", map_key(t->facts, i));
	}
	if (rc || db_exec(db, "commit", &e))
		log_warn("told.kept", "message=%s", log_quote(e.msg));
}

/* ---- what commits changed ---- */

/* The files of a commit; false: that is not known, as its parent is not here. */
static bool look(struct told *t, const char *commit, struct fact *f)
{
	struct changes changes = { 0 };
	char parent[REPO_OID];

	f->paths = "";
	f->subject = repo_subject(t->repo, commit, SUBJECT, t->a);
	if (!*f->subject || repo_parent(t->repo, commit, parent) != 1)
		return true;
	if (repo_changes(t->repo, parent, commit, t->scratch, &changes, NULL)) {
		free(changes.v);
		return false;
	}
	struct buf paths = { 0 };
	for (size_t i = 0; changes.n <= TOLD_FILES && i < changes.n; i++) {
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

static void tell(struct told *t, const struct fact *f)
{
	for (const char *path = f->paths; path < f->paths + f->n; path += strlen(path) + 1) {
		void **at = map_at(t->files, path);
		if (!*at)
			*at = calloc(1, sizeof(struct says));
		struct says *s = *at;
		if (!s)
			abort();
		if (s->subjects++ < TOLD_SUBJECTS)
			buf_printf(&s->text, "%s%s", s->text.n ? "\n" : "", f->subject);
	}
}

static void meet(void *arg, const char *commit)
{
	struct told *t = arg;
	struct fact *f = map_get(t->facts, commit);

	if (!f) {
		f = arena_one(t->a, struct fact);
		if (!look(t, commit, f))
			return;
		f->new = true;
		*map_at(t->facts, commit) = f;
	}
	f->met = true;
	tell(t, f);
}

/* ---- all of it ---- */

struct told *told_read(const char *dir, struct repo *repo, const char *commit, struct err *e)
{
	struct told *t = calloc(1, sizeof *t);

	if (!t)
		abort();
	*t = (struct told){ .a = arena_new(), .scratch = arena_new(), .repo = repo, .facts = map_new(), .files = map_new() };
	struct db *kept = open_kept(dir, t->a);
	if (kept)
		read_kept(t, kept);
	int rc = repo_walk(repo, commit, TOLD_COMMITS, meet, t, e);
	if (!rc && kept)
		keep(t, kept);
	db_close(kept);
	if (!rc)
		return t;
	told_free(t);
	return NULL;
}

void told_free(struct told *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < map_len(t->files); i++) {
		struct says *s = map_val(t->files, i);
		buf_free(&s->text);
		free(s);
	}
	map_free(t->files);
	map_free(t->facts);
	arena_free(t->scratch);
	arena_free(t->a);
	free(t);
}

const char *told_of(const struct told *t, const char *path)
{
	const struct says *s = map_get(t->files, path);

	return s ? s->text.p : NULL;
}

uint64_t told_mark(const char *commit)
{
	return text_id(commit, TOLD_VERSION, 0, NULL);
}
