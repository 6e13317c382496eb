#include "tests/learn/offline_ranker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/err.h"
#include "proto/db/db.h"
#include "shard/index/index_store.h"

int git_libgit2_init(void);

void ranker_fail(const char *what, const char *why)
{
	fprintf(stderr, "ranker: %s: %s\n", what, why);
	exit(1);
}

struct db *ranker_index(const char *data, struct index_info *info)
{
	struct err e = { 0 };
	struct db *db = store_current(data, info, &e) ? NULL : store_open(data, info->file, &e);

	if (!db || db_read_begin(db, &e))
		ranker_fail(data, e.msg);
	return db;
}

static FILE *open_file(const char *base, const char *extension, const char *mode, char path[4096])
{
	snprintf(path, 4096, "%s.%s", base, extension);
	FILE *f = fopen(path, mode);
	if (!f)
		ranker_fail(path, strerror(errno));
	return f;
}

void ranker_put(const char *base, const char *extension, const void *p, size_t n)
{
	char path[4096];
	FILE *f = open_file(base, extension, "w", path);

	if (fwrite(p, 1, n, f) != n || fclose(f))
		ranker_fail(path, strerror(errno));
}

void *ranker_get(const char *base, const char *extension, size_t *n)
{
	char path[4096];
	FILE *f = open_file(base, extension, "r", path);

	if (fseek(f, 0, SEEK_END))
		ranker_fail(path, strerror(errno));
	*n = (size_t)ftell(f);
	rewind(f);
	void *p = malloc(*n + 1);
	if (!p || fread(p, 1, *n, f) != *n)
		ranker_fail(path, "it cannot be read");
	fclose(f);
	return p;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(const char *, const char *, const char *);
	} commands[] = { { "dump", dump }, { "score", score_questions } };

	git_libgit2_init();
	for (size_t i = 0; argc == 5 && i < sizeof commands / sizeof *commands; i++)
		if (!strcmp(argv[1], commands[i].name)) {
			commands[i].run(argv[2], argv[3], argv[4]);
			return 0;
		}
	fprintf(stderr, "ranker dump DATA REPO OUT | ranker score LIST QUESTIONS OUT: offline_ranker.h says what\n");
	return 2;
}
