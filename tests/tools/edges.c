/* edges DIR: prints the edges between the files below a folder, and their number and the time on stderr. */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <unistd.h>

#include <time.h>
#include "shard/ingest/file_filter.h"
#include "tests/graph_index.h"

static struct paths {
	char **v;
	size_t n, cap;
} paths;
static size_t root;

static int add(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)where;
	if (type == FTW_F && st->st_size < 1 << 20 && !filter_skip_path(path + root)) {
		paths.v = grow(paths.v, &paths.cap, paths.n + 1, sizeof *paths.v);
		paths.v[paths.n++] = strdup(path);
	}
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *read_whole(const char *path, size_t *n)
{
	char *p = calloc(1, (1 << 20) + 1);
	FILE *f = fopen(path, "rb");

	if (!p)
		abort();
	*n = f ? fread(p, 1, 1 << 20, f) : 0;
	if (f)
		fclose(f);
	return p;
}

static int put_all(struct db *db, struct parser *p, struct err *e)
{
	for (size_t i = 0; i < paths.n && !e->code; i++) {
		struct arena *a = arena_new();
		const struct lang *lang;
		struct facts f;
		size_t n;
		char *text = read_whole(paths.v[i], &n);
		const char *path = paths.v[i] + root;
		graph_facts(p, path, text, n, a, &f, &lang);
		if (lang)
			graph_put(db, (int64_t)i + 1, path, lang_name(lang), "", filter_is_test(path), &f, graph_ids(&f, (int64_t)i + 1, a), a, e);
		free(text);
		arena_free(a);
	}
	return e->code ? -1 : 0;
}

int main(int argc, char **argv)
{
	char file[] = "/tmp/edges.XXXXXX";
	struct err e = { 0 };
	struct parser *p = parser_new(&e);

	if (!p || argc != 2)
		return err_exit(&e);
	root = strlen(argv[1]) + 1;
	nftw(argv[1], add, 32, FTW_PHYS);
	if (paths.n)
		qsort(paths.v, paths.n, sizeof *paths.v, by_path);
	close(mkstemp(file));
	struct db *db = graph_open(file, &e);
	if (db && !db_exec(db, "pragma synchronous=off; begin", &e) && !put_all(db, p, &e) &&
	    !db_exec(db, "commit", &e)) {
		clock_t t = clock();
		if (!graph_resolve(db, 1, &e)) {
			fprintf(stderr, "%zu files, resolved in %.1f ms of processor time\n", paths.n, (double)(clock() - t) * 1e3 / CLOCKS_PER_SEC);
			graph_print(db, stdout, &e);
		}
	}
	db_close(db);
	unlink(file);
	parser_free(p);
	return err_exit(&e);
}
