#ifndef TESTS_CONTRACTS_INDEX_H
#define TESTS_CONTRACTS_INDEX_H
/* Indexes files in memory with the ingest's own writers, and prints the contract facts as readable lines. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/db/db.h"
#include "proto/base/err.h"
#include "proto/record/codec.h"
#include "proto/record/record.h"
#include "shard/index/index_writer.h"
#include "shard/facts/facts.h"
#include "shard/ingest/file_filter.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/parse/parser.h"
#include "shard/contracts/gateways/gateways.h"
#include "shard/contracts/specs/atoll_yaml.h"
#include "shard/settings/settings.h"
#include "shard/index/index_store.h"
#include "shard/index/delta_writer.h"

struct sources {
	struct source {
		char path[700], *text;
		size_t n;
		bool gone;
	} v[4000];
	size_t n;
};

static inline int sources_by_path(const void *a, const void *b)
{
	return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

/* All files below a folder except expected*, ordered by path. */
static inline void sources_read(struct sources *t, const char *root, const char *below)
{
	char path[2400];

	snprintf(path, sizeof path, "%s/%s", root, below);
	DIR *d = opendir(path);
	for (struct dirent *x; d && (x = readdir(d));) {
		char name[690];
		snprintf(name, sizeof name, "%.300s%s%.300s", below, *below ? "/" : "", x->d_name);
		if (!strcmp(x->d_name, ".") || !strcmp(x->d_name, "..") || !strcmp(x->d_name, ".git") || !strncmp(x->d_name, "expected", 8))
			continue;
		if (x->d_type == DT_DIR) {
			sources_read(t, root, name);
		} else if (t->n < sizeof t->v / sizeof *t->v) {
			struct source *s = &t->v[t->n++];
			struct buf b = { 0 };
			char bytes[65536];
			snprintf(s->path, sizeof s->path, "%s", name);
			snprintf(path, sizeof path, "%s/%s", root, name);
			FILE *in = fopen(path, "rb");
			for (size_t got; in && (got = fread(bytes, 1, sizeof bytes, in));)
				buf_put(&b, bytes, got);
			if (in)
				fclose(in);
			s->n = b.n;
			buf_str(&b, "");
			s->text = b.p;
			s->gone = false;
		}
	}
	if (d)
		closedir(d);
	if (!*below && t->n)
		qsort(t->v, t->n, sizeof *t->v, sources_by_path);
}

static inline void sources_free(struct sources *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].text);
	t->n = 0;
}

static inline int sources_text(void *arg, const char *path, const char *blob, struct buf *out)
{
	const struct sources *t = arg;

	(void)blob;
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->v[i].path, path)) {
			buf_put(out, t->v[i].text, t->v[i].n);
			return 0;
		}
	return -1;
}

/* The facts of a file.  False if its language is unknown. */
static inline bool source_facts(struct parser *p, const struct source *s, struct arena *a, struct indexed_file *file, struct facts *f)
{
	const struct lang *l = lang_detect(s->path, s->text, s->n);

	*f = (struct facts){ 0 };
	if (l)
		parse(p, l, s->text, s->n, 0, a, f);
	if (l && settings_match_path(s->path))
		f->settings.n = settings_read(s->path, s->text, s->n, a, &f->settings.v);
	if (l && !filter_is_test(s->path))
		gateways_read(s->path, s->text, s->n, a, f);
	if (l)
		atoll_yaml_read(s->path, s->text, s->n, a, f);
	*file = (struct indexed_file){ s->path, "b10b", l ? lang_name(l) : NULL, s->n, filter_is_test(s->path), false };
	return l != NULL;
}

/* Write and publish an index of the sources that are not deleted. */
static inline int sources_index(struct sources *t, struct parser *p, const char *dir, struct index_info *info, struct err *e)
{
	*info = (struct index_info){ .generation = store_next_generation(dir), .commit = "c0ffee", .repo_uri = "h/o/r" };
	snprintf(info->file, sizeof info->file, "index-%d.db", (int)info->generation);
	struct index_writer *b = index_writer_new(dir, info, e);
	int rc = b ? 0 : -1;

	for (size_t i = 0; !rc && i < t->n; i++) {
		struct arena *a = arena_new();
		struct indexed_file file;
		struct facts f;
		if (!t->v[i].gone && source_facts(p, &t->v[i], a, &file, &f))
			rc = index_writer_add_file(b, &file, &f, e);
		arena_free(a);
	}
	rc = rc ? rc : index_writer_publish(b, info, &(struct text_source){ sources_text, t, &p, 1, NULL }, NULL, 2, e);
	index_writer_free(b);
	return rc;
}

/*
 * SIDE METHOD [HOST]PATH [=> TO] [at HOSTS] FRAMEWORK FILE:LINE SYMBOL [reason REASON], in order; optionally with the expression as written and
 * the steps below.
 */
static inline int contracts_print(struct db *db, FILE *out, bool steps, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select fact from contracts c join files f on f.id = c.file where c.joined <> 4 order by f.path, c.line, c.fact", e);
	int rc = s ? 0 : -1;

	while (!rc && (rc = db_step(s, e)) == 1) {
		struct arena *a = arena_new();
		struct fact c;
		size_t n;
		const void *p = db_blob(s, 0, &n);
		rc = codec_get(&rec_fact, &c, p, n, a, e);
		if (!rc)
			fprintf(out, "%s %s %s%s%s%s%s%s%s%s %s %s:%llu %s%s%s%s%s%s\n", c.side, c.method, c.host ? "[" : "", c.host ? c.host : "",
			    c.host ? "]" : "", c.path, c.to ? " => " : "", c.to ? c.to : "", c.at ? " at " : "", c.at ? c.at : "",
			    c.framework, c.file, (unsigned long long)c.line, c.symbol ? c.symbol : "-",
			    c.reason ? " reason " : "", c.reason ? c.reason : "", c.partial ? " partial" : "",
			    c.scope ? " " : "", c.scope ? c.scope : "");
		if (!rc && steps && c.raw)
			fprintf(out, "\t= %s\n", c.raw);
		if (!rc && steps && c.why)
			fprintf(out, "\t? %s %s:%llu: %s\n", c.why, c.gap_file ? c.gap_file : c.file,
			    (unsigned long long)c.gap_line, c.gap);
		for (size_t i = 0; !rc && steps && i < c.steps.n; i++)
			fprintf(out, "\t%s:%llu: %s\n", c.steps.v[i].file, (unsigned long long)c.steps.v[i].line, c.steps.v[i].text);
		arena_free(a);
	}
	return rc;
}

/* The facts of the published index as text.  The caller frees it. */
static inline char *contracts_text(const char *dir, const struct index_info *info, bool steps, struct err *e)
{
	struct db *db = store_open(dir, info->file, e);
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (db)
		contracts_print(db, out, steps, e);
	fclose(out);
	db_close(db);
	return text;
}
#endif
