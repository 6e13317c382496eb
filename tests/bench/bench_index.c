/*
 * bench_index INDEX.db TREE THREADS: the floor of indexing, over the files that the index holds, read from TREE before the
 * clock starts: tree-sitter parses them in THREADS threads while one more inserts their text into a contentless FTS5 table,
 * a document a file, and merges it at the end.  Prints: files, bytes, wall microseconds, microseconds of processor time in
 * parsing and in inserting.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tree_sitter/api.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "shard/syntax/languages.h"

enum { MOST_THREADS = 64 };

struct file {
	const char *path, *language;
	char *text;
	size_t n;
};

static struct {
	struct file *v;
	size_t n, cap, next, bytes;
	pthread_mutex_t lock;
} files = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int64_t thread_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void die(const char *what, const struct err *e)
{
	fprintf(stderr, "bench_index: %s: %s\n", what, e->msg);
	exit(1);
}

static void read_files(const char *index, const char *tree, struct arena *a)
{
	struct err e = { 0 };
	struct db *db = db_open(index, DB_READ, &e);
	struct stmt *s = db ? db_prep(db, "select path, language from files order by path", &e) : NULL;

	if (!s)
		die(index, &e);
	while (db_step(s, &e) == 1) {
		struct file f = { .path = arena_str(a, db_str(s, 0)), .language = arena_str(a, db_str(s, 1)) };
		FILE *in = fopen(arena_printf(a, "%s/%s", tree, f.path), "rb");
		if (!in)
			continue;
		fseek(in, 0, SEEK_END);
		long size = ftell(in);
		rewind(in);
		f.text = malloc((size_t)size + 1);
		f.n = f.text ? fread(f.text, 1, (size_t)size, in) : 0;
		fclose(in);
		files.bytes += f.n;
		files.v = grow(files.v, &files.cap, files.n + 1, sizeof f);
		files.v[files.n++] = f;
	}
	db_close(db);
}

static const struct lang *grammar_of(const char *language)
{
	for (size_t i = 0; i < nlangs; i++)
		if (langs[i].grammar && !strcmp(langs[i].name, language))
			return &langs[i];
	return NULL;
}

static void *parse_all(void *used)
{
	TSParser *p = ts_parser_new();

	for (;;) {
		pthread_mutex_lock(&files.lock);
		struct file *f = files.next < files.n ? &files.v[files.next++] : NULL;
		pthread_mutex_unlock(&files.lock);
		if (!f)
			break;
		const struct lang *l = grammar_of(f->language);
		if (!l || !ts_parser_set_language(p, l->grammar()))
			continue;
		ts_tree_delete(ts_parser_parse_string(p, NULL, f->text, (uint32_t)f->n));
	}
	ts_parser_delete(p);
	*(int64_t *)used = thread_us();
	return NULL;
}

static void *insert_all(void *used)
{
	char path[] = "/tmp/atoll-bench-fts-XXXXXX";
	struct err e = { 0 };
	int fd = mkstemp(path);
	struct db *db = fd < 0 ? NULL : db_open(path, DB_CREATE, &e);

	if (!db || db_exec(db, "pragma journal_mode=off; pragma synchronous=off; pragma cache_size=-16384;"
	    "create virtual table fts using fts5 (body, content='');"
	    "insert into fts(fts, rank) values ('automerge', 0); begin", &e))
		die(path, &e);
	for (size_t i = 0; i < files.n; i++)
		if (db_run(db, &e, "insert into fts(rowid, body) values (?, ?)", "it", (int64_t)i + 1, files.v[i].text,
		    files.v[i].n))
			die(path, &e);
	if (db_exec(db, "commit; insert into fts(fts) values ('optimize')", &e))
		die(path, &e);
	db_close(db);
	fsync(fd);
	close(fd);
	unlink(path);
	*(int64_t *)used = thread_us();
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc == 4 ? atoi(argv[3]) : 0;
	struct arena *a = arena_new();
	pthread_t id[MOST_THREADS + 1];
	int64_t used[MOST_THREADS + 1] = { 0 }, parse = 0;

	if (n < 1 || n > MOST_THREADS) {
		fprintf(stderr, "usage: bench_index INDEX.db TREE THREADS\n");
		return 2;
	}
	read_files(argv[1], argv[2], a);
	int64_t start = clock_us();
	for (int i = 0; i <= n; i++)
		if (pthread_create(&id[i], NULL, i < n ? parse_all : insert_all, &used[i]))
			abort();
	for (int i = 0; i <= n; i++)
		pthread_join(id[i], NULL);
	int64_t wall = clock_us() - start;
	for (int i = 0; i < n; i++)
		parse += used[i];
	printf("%zu %zu %lld %lld %lld\n", files.n, files.bytes, (long long)wall, (long long)parse, (long long)used[n]);
	arena_free(a);
	return 0;
}
