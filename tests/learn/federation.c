#include "tests/learn/federation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/text/symbol_match.h"
#include "shard/index/index_store.h"
#include "tests/learn/offline_ranker.h"

static void name_documents(struct federation *f, struct db *db, size_t first)
{
	struct err e = { 0 };
	struct arena *a = arena_new();
	struct stmt *s = db_prep(db, "select d.id, f.test or coalesce(s.test, 0), f.generated, s.kind, s.name, s.qualified from docs d"
	    " join files f on f.id = d.file left join symbols s on s.id = d.symbol", &e);

	while (s && db_step(s, &e) == 1) {
		struct doc *d = &f->v[first + (size_t)db_int(s, 0)];
		d->test = db_int(s, 1);
		if (db_null(s, 3) || db_int(s, 2) || !strcmp(db_str(s, 3), "section"))
			continue;
		d->name = strdup(db_str(s, 4));
		d->qualified = strdup(db_str(s, 5));
		d->key = strdup(symbol_key(d->name, a));
	}
	if (e.code)
		ranker_fail("names", e.msg);
	arena_free(a);
}

/* Room for the documents of one more repository; their vectors are copied, where they are from is filled in. */
static struct doc *add_documents(struct federation *f, size_t n, const float *vec)
{
	f->v = realloc(f->v, (f->n + n) * sizeof *f->v);
	f->vec = realloc(f->vec, (f->n + n) * DIM * sizeof *f->vec);
	if (!f->v || !f->vec)
		abort();
	memcpy(f->vec + f->n * DIM, vec, n * DIM * sizeof *vec);
	f->n += n;
	return f->v + f->n - n;
}

/* The arrays that dump wrote; the number of files. */
static size_t read_documents(struct federation *f, const char *base)
{
	size_t n, size, files = 0;
	uint16_t *lengths = ranker_get(base, "len", &n);
	uint8_t *priors = ranker_get(base, "prior", &size);
	uint32_t *file = ranker_get(base, "file", &size);
	uint64_t *texts = ranker_get(base, "text", &size);
	float *vec = ranker_get(base, "vec", &size);

	n /= sizeof *lengths;
	if (size != n * DIM * sizeof *vec)
		ranker_fail(base, "its files do not belong together");
	struct doc *v = add_documents(f, n, vec);
	for (size_t i = 0; i < n; i++) {
		v[i] = (struct doc){ lengths[i], priors[i], (int)(f->files + file[i]), (int)f->repos, .text = texts[i] };
		files = file[i] >= files ? file[i] + 1 : files;
	}
	free(vec);
	free(texts);
	free(file);
	free(priors);
	free(lengths);
	return files;
}

static void add_repo(struct federation *f, const char *data, const char *base)
{
	struct index_info info;
	size_t first = f->n;

	if (f->repos == REPOS)
		ranker_fail(base, "too many repositories");
	struct db *db = ranker_index(data, &info);
	f->files += read_documents(f, base);
	name_documents(f, db, first);
	f->repo[f->repos].db = db;
	f->repo[f->repos++].first = first;
}

void federation_open(struct federation *f, const char *list)
{
	char line[8192], data[4096], base[4096];
	double words = 0;
	FILE *l = fopen(list, "r");

	if (!l)
		ranker_fail(list, "no such file");
	while (fgets(line, sizeof line, l)) {
		if (sscanf(line, "%4095[^\t]\t%4095[^\t\n]", data, base) != 2)
			ranker_fail(list, "a line is a data folder, a tab, the OUT of dump");
		add_repo(f, data, base);
	}
	fclose(l);
	for (size_t i = 0; i < f->n; i++) {
		words += f->v[i].length;
		f->living += f->v[i].length > 0;
	}
	f->mean = words / f->living;
}

void federation_write(const struct federation *f, const char *out)
{
	const int32_t sizes[] = { (int32_t)f->n, (int32_t)f->files, (int32_t)f->repos };
	struct buf b = { 0 };

	buf_put(&b, sizes, sizeof sizes);
	for (size_t i = 0; i < f->n; i++) {
		const struct doc *d = &f->v[i];
		const int32_t numbers[] = { d->file, d->repo, d->test, (int32_t)d->length };
		buf_put(&b, numbers, sizeof numbers);
		buf_put(&b, &d->text, sizeof d->text);
		buf_put(&b, &d->prior, sizeof d->prior);
	}
	buf_put(&b, f->vec, f->n * DIM * sizeof *f->vec);
	ranker_put(out, "docs", b.p, b.n);
	buf_free(&b);
}
