#include "tests/learn/offline_ranker.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/embed/embedding_model.h"
#include "proto/record/json.h"
#include "shard/embedding/test_names.h"
#include "shard/git/commit_subjects.h"
#include "shard/git/repo.h"
#include "shard/index/bm25.h"
#include "shard/index/document_prior.h"
#include "shard/index/index_store.h"
#include "shard/vectors/vector_text.h"

struct file {
	int64_t id;
	const char *path, *blob, *language;
	bool test, generated;
};

struct definition {
	const char *name, *kind;
	bool test;
};

struct dumping {
	struct db *db;
	struct repo *repo;
	struct ranking ranking;
	struct model *model;
	struct model_counts *counts;
	float *vec;
	FILE *docs;
};

static const char *text(struct stmt *s, int col, struct arena *a)
{
	return db_null(s, col) ? NULL : arena_str(a, db_str(s, col));
}

static struct file *read_files(struct db *db, size_t *n, struct arena *a)
{
	struct err e = { 0 };
	struct stmt *s = db_prep(db, "select id, path, blob, language, test, generated from files order by id", &e);
	struct file *v = NULL;
	size_t cap = 0;

	*n = 0;
	while (s && db_step(s, &e) == 1) {
		v = grow(v, &cap, *n + 1, sizeof *v);
		v[(*n)++] = (struct file){ db_int(s, 0), text(s, 1, a), text(s, 2, a), text(s, 3, a), db_int(s, 4), db_int(s, 5) };
	}
	if (e.code)
		ranker_fail("files", e.msg);
	return v;
}

/* A file's documents, in the order in which vector_texts wants them, and the symbols that they are of. */
static size_t read_documents(struct db *db, const struct file *f, struct vector_doc **v, struct definition **of, struct arena *a)
{
	struct err e = { 0 };
	struct stmt *s = db_prep(db, "select d.id, d.start_line, d.end_line, d.symbol is null, s.qualified, s.doc, s.name, s.kind, s.test"
	    " from docs d left join symbols s on s.id = d.symbol where d.file = ? order by d.start_line, d.end_line desc, d.id", &e);
	size_t n = 0, cap = 0, cap_of = 0;

	if (s)
		db_bind(s, "i", f->id);
	while (s && db_step(s, &e) == 1) {
		*v = grow(*v, &cap, n + 1, sizeof **v);
		*of = grow(*of, &cap_of, n + 1, sizeof **of);
		(*v)[n] = (struct vector_doc){ .id = db_int(s, 0), .start_line = (uint32_t)db_int(s, 1), .end_line = (uint32_t)db_int(s, 2),
			.gap = db_int(s, 3), .qualified = text(s, 4, a), .doc = text(s, 5, a), .wanted = true };
		(*of)[n++] = (struct definition){ text(s, 6, a), text(s, 7, a), db_int(s, 8) };
	}
	if (e.code)
		ranker_fail(f->path, e.msg);
	return n;
}

static void put_member(struct buf *out, const char *key, const char *value)
{
	buf_printf(out, ",\"%s\":", key);
	json_quote(out, value ? value : "");
}

static void write_document(struct dumping *d, const struct file *f, const struct vector_doc *v, const struct definition *of, struct arena *a)
{
	struct buf b = { 0 };

	model_embed(d->model, d->counts, v->p ? v->p : "", v->n, d->vec + v->id * DIM);
	buf_printf(&b, "{\"id\":%lld,\"file\":%lld,\"test\":%d,\"gen\":%d,\"start\":%u,\"gap\":%d,\"text\":%llu", (long long)v->id, (long long)f->id,
	    f->test || of->test, f->generated, v->start_line, v->gap, (unsigned long long)d->ranking.texts[v->id]);
	put_member(&b, "path", f->path);
	put_member(&b, "lang", f->language);
	put_member(&b, "q", v->qualified);
	put_member(&b, "doc", v->doc);
	put_member(&b, "name", of->name);
	put_member(&b, "kind", of->kind);
	put_member(&b, "v", v->p ? arena_strn(a, v->p, v->n) : "");
	buf_str(&b, "}\n");
	fwrite(b.p, 1, b.n, d->docs);
	buf_free(&b);
}

static void write_file(struct dumping *d, const struct file *f)
{
	struct arena *a = arena_new();
	struct vector_doc *v = NULL;
	struct definition *of = NULL;
	struct buf source = { 0 };
	size_t n = read_documents(d->db, f, &v, &of, a);

	repo_blob_text(d->repo, f->blob, &source, NULL);	/* without it, what the index itself holds */
	vector_texts(f->path, language_is_prose(f->language), source.n ? source.p : "", source.n, v, n, a);
	for (size_t i = 0; i < n; i++)
		write_document(d, f, &v[i], &of[i], a);
	buf_free(&source);
	free(of);
	free(v);
	arena_free(a);
}

static struct dumping open_index(const char *data, const char *repo, struct index_info *info)
{
	struct dumping d = { 0 };
	struct err e = { 0 };
	void *memory;
	size_t n;

	d.db = ranker_index(data, info);
	if (!(d.repo = repo_open(repo, &e)) || store_read_ranking(d.db, &d.ranking, &memory, &e))
		ranker_fail(repo, e.msg);
	const void *bytes = model_builtin(&n);
	if (!(d.model = model_open(bytes, n, &e)))
		ranker_fail("the model", e.msg);
	d.counts = model_counts_new(d.model);
	if (!(d.vec = calloc(d.ranking.n * DIM, sizeof *d.vec)))
		abort();
	printf("%s\n", info->commit);
	return d;
}

/* What commits and tests say of each file (shard/embedding/vector_builder_files.c). */
static void write_told(struct dumping *d, const char *data, const char *repo, const char *commit, const struct file *v, size_t n, const char *out)
{
	struct err e = { 0 };
	struct commit_subjects *subjects = commit_subjects_read(data, d->repo, commit, &e);
	struct test_names *names = subjects ? test_names_read(d->db, &e) : NULL;
	struct buf b = { 0 };

	if (!names)
		ranker_fail(repo, e.msg);
	for (size_t i = 0; i < n; i++) {
		const char *commits = commit_subjects_get(subjects, v[i].path), *tests = test_names_of(names, v[i].path);
		buf_printf(&b, "{\"file\":%lld", (long long)v[i].id);
		put_member(&b, "commits", commits);
		put_member(&b, "tests", tests);
		buf_str(&b, "}\n");
	}
	ranker_put(out, "told", b.p, b.n);
	buf_free(&b);
	test_names_free(names);
	commit_subjects_free(subjects);
}

void dump(const char *data, const char *repo, const char *out)
{
	struct index_info info;
	struct dumping d = open_index(data, repo, &info);
	struct arena *a = arena_new();
	char *lines = NULL;
	size_t n, nlines;

	if (!(d.docs = open_memstream(&lines, &nlines)))
		abort();
	struct file *v = read_files(d.db, &n, a);
	for (size_t i = 0; i < n; i++)
		write_file(&d, &v[i]);
	fclose(d.docs);
	ranker_put(out, "docs", lines, nlines);
	write_told(&d, data, repo, info.commit, v, n, out);
	ranker_put(out, "len", d.ranking.lengths, d.ranking.n * sizeof *d.ranking.lengths);
	ranker_put(out, "prior", d.ranking.priors, d.ranking.n * sizeof *d.ranking.priors);
	ranker_put(out, "file", d.ranking.files, d.ranking.n * sizeof *d.ranking.files);
	ranker_put(out, "text", d.ranking.texts, d.ranking.n * sizeof *d.ranking.texts);
	ranker_put(out, "vec", d.vec, d.ranking.n * DIM * sizeof *d.vec);
	arena_free(a);		/* the rest goes with the program */
}
