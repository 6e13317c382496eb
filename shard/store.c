#include "shard/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/db.h"
#include "proto/base/err.h"
#include "shard/facts.h"
#include "shard/rank.h"

static const struct meta {
	const char *key;
	size_t off, size;	/* size 0: an int64_t */
} metas[] = {
#define NUMBER(f) { #f, offsetof(struct index_info, f), 0 }
#define STRING(f) { #f, offsetof(struct index_info, f), sizeof((struct index_info *)0)->f }
	NUMBER(schema), NUMBER(extractor), NUMBER(generation),
	STRING(commit), STRING(graph_hash), STRING(indexed_at), STRING(repo_uri), STRING(branch),
	NUMBER(ingest_ms), NUMBER(files), NUMBER(bytes), NUMBER(symbols), NUMBER(documents), NUMBER(contracts),
};

enum { PATH = 4096 };

int store_put_info(struct db *db, const struct index_info *info, struct err *e)
{
	for (size_t i = 0; i < LEN(metas); i++) {
		const char *at = (const char *)info + metas[i].off;
		char number[24];
		snprintf(number, sizeof number, "%lld", metas[i].size ? 0LL : (long long)*(const int64_t *)at);
		if (db_run(db, e, "insert into meta values (?, ?)", "ss", metas[i].key,
		    metas[i].size ? at : number))
			return -1;
	}
	return 0;
}

static int get_info(struct db *db, struct index_info *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select value from meta where key = ?", e);

	if (!s)
		return -1;
	for (size_t i = 0; i < LEN(metas); i++) {
		char *at = (char *)out + metas[i].off;
		db_bind(s, "S", metas[i].key);
		int rc = db_step(s, e);
		if (rc < 0)
			return -1;
		if (rc && metas[i].size)
			snprintf(at, metas[i].size, "%s", db_str(s, 0));
		else if (rc)
			*(int64_t *)at = db_int(s, 0);
		while (rc == 1)
			rc = db_step(s, e);
	}
	return 0;
}

struct db *store_open(const char *dir, const char *file, struct err *e)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, file);
	struct db *db = db_open(path, DB_IMMUTABLE, e);
	if (!db)
		err_set(e, ERR_DB_ERROR, "the index %s cannot be opened", file);
	else if (db_exec(db, "pragma query_only=1; pragma mmap_size=0; pragma cache_size=-1024", e)) {
		db_close(db);
		return NULL;
	}
	return db;
}

int store_ranking(struct db *db, struct ranking *r, void **mem, struct err *e)
{
	struct stmt *s = db_prep(db, "select lengths, priors from ranking", e);
	size_t nlengths = 0, npriors = 0;
	uint64_t sum = 0;

	*mem = NULL;
	if (!s || db_step(s, e) != 1)
		return e->code ? -1 : err_set(e, ERR_DB_ERROR, "the index holds no document lengths");
	const void *lengths = db_blob(s, 0, &nlengths), *priors = db_blob(s, 1, &npriors);
	size_t n = nlengths / sizeof *r->lengths;
	n = n < npriors ? n : npriors;		/* an empty index has the prior of rowid 0 alone */
	char *p = *mem = malloc(n * (sizeof *r->lengths + 1) + 1);
	if (!p)
		abort();
	if (n) {
		memcpy(p, lengths, n * sizeof *r->lengths);
		memcpy(p + n * sizeof *r->lengths, priors, n);
	}
	*r = (struct ranking){ .lengths = *mem, .priors = (uint8_t *)p + n * sizeof *r->lengths, .n = n };
	db_step(s, e);
	for (size_t i = 0; i < n; i++) {
		sum += r->lengths[i];
		r->documents += r->lengths[i] > 0;
	}
	r->average = sum ? (double)sum / r->documents : 1;
	return 0;
}

static int read_current(const char *dir, char *file, size_t size)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/CURRENT", dir);
	FILE *f = fopen(path, "re");
	if (!f)
		return -1;
	char *line = fgets(file, (int)size, f);
	fclose(f);
	if (!line)
		return -1;
	file[strcspn(file, "\n")] = 0;
	return strchr(file, '/') ? -1 : 0;
}

int store_current(const char *dir, struct index_info *out, struct err *e)
{
	*out = (struct index_info){ 0 };
	if (read_current(dir, out->file, sizeof out->file)) {
		*out->file = 0;
		return err_set(e, ERR_NO_INDEX, "nothing is indexed yet");
	}
	struct db *db = store_open(dir, out->file, e);
	int rc = db ? get_info(db, out, e) : -1;
	db_close(db);
	if (rc && e && e->code != ERR_DB_ERROR)
		err_set(e, ERR_DB_ERROR, "the index %s cannot be read", out->file);
	if (!rc && (out->schema != SCHEMA_VERSION || out->extractor != EXTRACTOR_VERSION))
		rc = err_set(e, ERR_SCHEMA_MISMATCH, "the index has schema %lld.%lld, this program has %d.%d",
		    (long long)out->schema, (long long)out->extractor, SCHEMA_VERSION, EXTRACTOR_VERSION);
	return rc;
}

int store_check(const char *dir, const char *file, struct err *e)
{
	struct db *db = store_open(dir, file, e);
	struct stmt *s = db ? db_prep(db, "pragma quick_check(1)", e) : NULL;
	int rc = s ? db_step(s, e) : -1;

	if (rc == 1)
		rc = strcmp(db_str(s, 0), "ok") ? err_set(e, ERR_DB_ERROR, "%s: %.150s", file, db_str(s, 0)) : 0;
	db_close(db);
	return rc;
}

void store_set_aside(const char *dir, const char *file)
{
	char from[PATH], to[PATH], now[64];

	snprintf(from, sizeof from, "%s/CURRENT", dir);
	if (!read_current(dir, now, sizeof now) && !strcmp(now, file))
		unlink(from);
	snprintf(from, sizeof from, "%s/%s", dir, file);
	snprintf(to, sizeof to, "%s/%s.corrupt", dir, file);
	rename(from, to);
}

/* Call `each` for every file of an index; `tail` is what follows "index-<generation>.db". */
static void each_index(const char *dir, void (*each)(void *, const char *name, int64_t generation, const char *tail),
    void *arg)
{
	DIR *d = opendir(dir);

	if (!d)
		return;
	for (struct dirent *x; (x = readdir(d));) {
		long long g;
		int n = 0;
		if (sscanf(x->d_name, "index-%lld.db%n", &g, &n) == 1 && n)
			each(arg, x->d_name, g, x->d_name + n);
	}
	closedir(d);
}

static void largest(void *arg, const char *name, int64_t generation, const char *tail)
{
	int64_t *max = arg;

	(void)name, (void)tail;
	if (generation > *max)
		*max = generation;
}

int64_t store_next(const char *dir)
{
	char file[64];
	long long current = 0;
	int64_t max = 0;

	if (!read_current(dir, file, sizeof file))	/* its file may be gone */
		sscanf(file, "index-%lld", &current);
	each_index(dir, largest, &max);
	return (current > max ? current : max) + 1;
}

static int sync_path(const char *path, int flags, struct err *e)
{
	int fd = open(path, flags | O_CLOEXEC);
	int rc = fd < 0 || fsync(fd) ? err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno)) : 0;

	if (fd >= 0)
		close(fd);
	return rc;
}

static int replace(const char *dir, const char *from, const char *to, struct err *e)
{
	char a[PATH], b[PATH];

	snprintf(a, sizeof a, "%s/%s", dir, from);
	snprintf(b, sizeof b, "%s/%s", dir, to);
	if (sync_path(a, O_RDWR, e))
		return -1;
	if (rename(a, b))
		return err_set(e, ERR_DB_ERROR, "rename %s: %s", a, strerror(errno));
	return sync_path(dir, O_RDONLY | O_DIRECTORY, e);
}

int store_publish(const char *dir, const char *file, struct err *e)
{
	char tmp[80], path[PATH];

	snprintf(tmp, sizeof tmp, "%s.tmp", file);
	if (replace(dir, tmp, file, e))
		return -1;
	snprintf(path, sizeof path, "%s/CURRENT.tmp", dir);
	FILE *f = fopen(path, "we");
	bool failed = !f || fprintf(f, "%s\n", file) < 0;
	if ((f && fclose(f)) || failed)
		return err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	return replace(dir, "CURRENT.tmp", "CURRENT", e);
}

struct sweep {
	const char *dir, *keep, *keep2;
	int64_t newest;		/* corrupt files older than this one go */
};

static void newest_corrupt(void *arg, const char *name, int64_t generation, const char *tail)
{
	struct sweep *w = arg;

	(void)name;
	if (!strcmp(tail, ".corrupt") && generation > w->newest)
		w->newest = generation;
}

static void sweep(void *arg, const char *name, int64_t generation, const char *tail)
{
	struct sweep *w = arg;
	char path[PATH];

	if ((w->keep && !strcmp(name, w->keep)) || (w->keep2 && !strcmp(name, w->keep2)) ||
	    (!strcmp(tail, ".corrupt") && generation == w->newest))
		return;
	snprintf(path, sizeof path, "%s/%s", w->dir, name);
	unlink(path);
}

void store_sweep(const char *dir, const char *keep, const char *keep2)
{
	struct sweep w = { dir, keep, keep2, 0 };

	each_index(dir, newest_corrupt, &w);
	each_index(dir, sweep, &w);
}
