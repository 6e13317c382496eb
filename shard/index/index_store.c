#include "shard/index/index_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/process/directory.h"
#include "shard/facts/facts.h"
#include "shard/index/bm25.h"
#include "shard/storage/symbol_store.h"

static const struct meta_field {
	const char *key;
	size_t off, size;	/* size 0: an int64_t */
} metas[] = {
#define NUMBER(f) { #f, offsetof(struct index_info, f), 0 }
#define STRING(f) { #f, offsetof(struct index_info, f), sizeof((struct index_info *)0)->f }
	NUMBER(schema), NUMBER(extractor), NUMBER(generation),
	STRING(commit), STRING(graph_hash), STRING(indexed_at),
	STRING(repo_uri), STRING(branch), STRING(settings),
	NUMBER(ingest_ms), NUMBER(files), NUMBER(bytes), NUMBER(symbols), NUMBER(documents),
	NUMBER(contracts), NUMBER(shallow), STRING(gaps),
};

enum { PATH = 4096 };

static const char *const companions[] = { "-wal", "-shm" };	/* SQLite's own files beside an index */

int store_put_info(struct db *db, const struct index_info *info, struct err *e)
{
	for (size_t i = 0; i < LEN(metas); i++) {
		const char *value = (const char *)info + metas[i].off;
		char number[24];
		if (!metas[i].size) {
			long long n = *(const int64_t *)(const void *)value;
			snprintf(number, sizeof number, "%lld", n);
			value = number;
		}
		if (db_run(db, e, "insert or replace into meta values (?, ?)", "ss", metas[i].key, value))
			return -1;
	}
	return 0;
}

static void take(struct index_info *out, const char *key, const char *value, int64_t number)
{
	for (size_t i = 0; i < LEN(metas); i++) {
		char *at = (char *)out + metas[i].off;
		if (strcmp(metas[i].key, key))
			continue;
		if (metas[i].size)
			snprintf(at, metas[i].size, "%s", value);
		else
			*(int64_t *)(void *)at = number;
	}
}

int store_read_info(struct db *db, struct index_info *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select key, value from meta", e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		take(out, db_str(s, 0), db_str(s, 1), db_int(s, 1));
	out->outdated = out->schema != SCHEMA_VERSION || out->extractor != EXTRACTOR_VERSION;
	return rc;
}

static int read_number(struct db *db, const char *key, int64_t *out, struct err *e)
{
	struct stmt *s = db_prep(db, "select value from meta where key = ?", e);
	int rc;

	*out = 0;
	if (!s || db_bind(s, "S", key))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		*out = db_int(s, 0);
	return rc;
}

int store_generation(struct db *db, int64_t *out, struct err *e)
{
	return read_number(db, "generation", out, e);
}

int store_extractor(struct db *db, int64_t *out, struct err *e)
{
	return read_number(db, "extractor", out, e);
}

/*
 * About half of the pages that a question reads were read by the one before it, and this cache
 * holds them. In kilobytes, and negative, as SQLite expects it.
 */
#define CACHE "-4096"

struct db *store_open(const char *dir, const char *file, struct err *e)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, file);
	struct db *db = db_open(path, DB_READ, e);
	if (!db) {
		err_set(e, ERR_DB_ERROR, "the index %s cannot be opened", file);
		return NULL;
	}
	if (db_exec(db, "pragma query_only=1; pragma mmap_size=0; pragma cache_size=" CACHE, e) ||
	    symbols_register_table(db, e)) {
		db_close(db);
		return NULL;
	}
	return db;
}

/* The columns of `ranking`, the widest first, and the bytes of a document in each. */
enum { COLUMNS = 5 };
static const size_t widths[COLUMNS] = { sizeof(uint64_t), sizeof(uint32_t), sizeof(uint32_t),
	sizeof(uint16_t), 1 };

/* Appends the columns of one row; the last column tells how many documents the row has. */
static int read_ranking_row(struct stmt *s, struct buf v[COLUMNS], struct err *e)
{
	size_t docs, n;

	db_blob(s, COLUMNS - 1, &docs);
	for (int i = 0; i < COLUMNS; i++) {
		const void *p = db_blob(s, i, &n);
		buf_put(&v[i], p, n);
		if (n != docs * widths[i])
			return err_set(e, ERR_DB_ERROR, "document lengths do not fit the documents");
	}
	return 0;
}

static int read_ranking_columns(struct db *db, struct buf v[COLUMNS], struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select texts, files, hashes, lengths, priors from ranking order by id", e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1)
		if (read_ranking_row(s, v, e))
			return -1;
	return rc;
}

static void sum_ranking(struct ranking *r)
{
	for (size_t i = 0; i < r->n; i++) {
		r->words += r->lengths[i];
		r->documents += r->lengths[i] > 0;
		if (r->files[i] >= r->nfiles)
			r->nfiles = r->files[i] + 1;
	}
}

int store_read_ranking(struct db *db, struct ranking *r, void **mem, struct err *e)
{
	struct buf v[COLUMNS] = { 0 };
	size_t at[COLUMNS] = { 0 }, docs = 0;
	int rc = read_ranking_columns(db, v, e);

	if (!rc)
		docs = v[COLUMNS - 1].n;
	/* One block: the wider columns stand before the narrower ones, so all are aligned. */
	buf_put(&v[0], "", 0);	/* not NULL, even without documents */
	for (int i = 1; i < COLUMNS; i++) {
		at[i] = v[0].n;
		if (v[i].n)
			buf_put(&v[0], v[i].p, v[i].n);
		buf_free(&v[i]);
	}
	char *p = *mem = v[0].p;
	*r = (struct ranking){
		.texts = *mem,
		.files = (uint32_t *)(void *)(p + at[1]),
		.hashes = (uint32_t *)(void *)(p + at[2]),
		.lengths = (uint16_t *)(void *)(p + at[3]),
		.priors = (uint8_t *)p + at[4],
		.n = docs,
	};
	sum_ranking(r);
	return rc;
}

/* Reads the first line of a file in `dir`. */
static int read_line(const char *dir, const char *name, char *line, size_t size)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "re");
	if (!f)
		return -1;
	char *got = fgets(line, (int)size, f);
	fclose(f);
	if (!got)
		return -1;
	line[strcspn(line, "\n")] = 0;
	return 0;
}

static int read_current(const char *dir, char *file, size_t size)
{
	if (read_line(dir, "CURRENT", file, size) || strchr(file, '/'))
		return -1;
	return 0;
}

static bool is_readable(const struct index_info *x)
{
	return x->schema >= SCHEMA_READABLE && x->schema <= SCHEMA_VERSION &&
	    x->extractor >= EXTRACTOR_READABLE && x->extractor <= EXTRACTOR_VERSION;
}

int store_current(const char *dir, struct index_info *out, struct err *e)
{
	*out = (struct index_info){ 0 };
	if (read_current(dir, out->file, sizeof out->file)) {
		*out->file = 0;
		return err_set(e, ERR_NO_INDEX, "nothing is indexed yet");
	}
	struct db *db = store_open(dir, out->file, e);
	int rc = -1;
	if (db)
		rc = store_read_info(db, out, e);
	db_close(db);
	if (rc && e && e->code != ERR_DB_ERROR)
		err_set(e, ERR_DB_ERROR, "the index %s cannot be read", out->file);
	if (rc)
		return rc;
	if (is_readable(out))
		return 0;
	return err_set(e, ERR_SCHEMA_MISMATCH, "the index has schema %lld.%lld, this program has %d.%d",
	    (long long)out->schema, (long long)out->extractor, SCHEMA_VERSION, EXTRACTOR_VERSION);
}

uint64_t store_disk_bytes(const char *dir, const char *file)
{
	static const char *const parts[] = { "", "-wal" };
	uint64_t sum = 0;

	for (size_t i = 0; i < LEN(parts); i++) {
		char path[PATH];
		struct stat st;
		snprintf(path, sizeof path, "%s/%s%s", dir, file, parts[i]);
		if (!stat(path, &st))
			sum += (uint64_t)st.st_size;
	}
	return sum;
}

/*
 * Describes the present state of an index: inode, size and time of the file and of its log, and the
 * machine's boot id, because what was written before a power cut may be lost.
 */
static int seal_describe(const char *dir, const char *file, char *out, size_t size)
{
	static const char *const parts[] = { "", "-wal" };
	char path[PATH], boot[64];
	size_t n = 0;

	if (read_line("/proc/sys/kernel/random", "boot_id", boot, sizeof boot))
		return -1;
	for (size_t i = 0; i < LEN(parts) && n < size; i++) {
		struct stat st;
		snprintf(path, sizeof path, "%s/%s%s", dir, file, parts[i]);
		if (stat(path, &st))
			return -1;
		n += (size_t)snprintf(out + n, size - n, "%ju %jd %jd.%09ld ", (uintmax_t)st.st_ino,
		    (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	}
	if (n < size)
		n += (size_t)snprintf(out + n, size - n, "%s", boot);
	if (n < size)
		return 0;
	return -1;
}

enum { SEAL_BYTES = 256 };

static bool sealed(const char *dir, const char *file)
{
	char was[SEAL_BYTES], is[SEAL_BYTES];

	if (read_line(dir, "sealed", was, sizeof was))
		return false;
	if (seal_describe(dir, file, is, sizeof is))
		return false;
	return !strcmp(was, is);
}

void store_seal(const char *dir, const char *file)
{
	char path[PATH], line[SEAL_BYTES];

	if (seal_describe(dir, file, line, sizeof line))
		return;
	snprintf(path, sizeof path, "%s/sealed", dir);
	FILE *f = fopen(path, "we");
	if (f) {
		fprintf(f, "%s\n", line);
		fclose(f);
	}
}

static int check_pages(struct db *db, const char *file, struct err *e)
{
	struct stmt *s = db_prep(db, "pragma quick_check(1)", e);
	int rc = -1;

	if (s)
		rc = db_step(s, e);
	if (rc != 1)
		return rc;
	if (strcmp(db_str(s, 0), "ok"))
		return err_set(e, ERR_DB_ERROR, "%s: %.150s", file, db_str(s, 0));
	return 0;
}

int store_check(const char *dir, const char *file, struct err *e)
{
	if (sealed(dir, file))
		return 0;
	struct db *db = store_open(dir, file, e);
	if (!db)
		return -1;
	int rc = check_pages(db, file, e);
	db_close(db);
	if (!rc)
		store_seal(dir, file);
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
	for (size_t i = 0; i < LEN(companions); i++) {
		snprintf(from, sizeof from, "%s/%s%s", dir, file, companions[i]);
		unlink(from);
	}
}

/* Call `each` for every file of an index; `tail` is what follows "index-<generation>.db". */
static void each_index(const char *dir,
    void (*each)(void *, const char *name, int64_t generation, const char *tail), void *arg)
{
	DIR *d = directory_open(dir);

	if (!d)
		return;
	struct dirent *x;
	while ((x = readdir(d))) {
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

int64_t store_next_generation(const char *dir)
{
	char line[64];
	long long current = 0, given = 0;
	int64_t max = 0;

	if (!read_current(dir, line, sizeof line))	/* the file that it names may be gone */
		sscanf(line, "index-%lld", &current);
	if (!read_line(dir, "generation", line, sizeof line))
		sscanf(line, "%lld", &given);
	each_index(dir, largest, &max);
	max = MAX(current, max);
	return MAX(given, max) + 1;
}

static int sync_path(const char *path, int flags, struct err *e)
{
	int fd = open(path, flags | O_CLOEXEC);
	int rc = 0;

	if (fd < 0 || fsync(fd))
		rc = err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
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

/* Replace the file `name` by one line. */
static int write_line(const char *dir, const char *name, const char *line, struct err *e)
{
	char tmp[80], path[PATH];

	snprintf(tmp, sizeof tmp, "%s.tmp", name);
	snprintf(path, sizeof path, "%s/%s", dir, tmp);
	FILE *f = fopen(path, "we");
	bool failed = !f || fprintf(f, "%s\n", line) < 0;
	if ((f && fclose(f)) || failed)
		return err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	return replace(dir, tmp, name, e);
}

int store_reserve(const char *dir, int64_t generation, struct err *e)
{
	char path[PATH], line[24];

	snprintf(path, sizeof path, "%s/generation", dir);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	int n = snprintf(line, sizeof line, "%020lld\n", (long long)generation);
	int rc = 0;
	if (fd < 0 || pwrite(fd, line, (size_t)n, 0) != n)
		rc = err_set(e, ERR_DB_ERROR, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Creates -wal and -shm, so that readers need no space for them when the disk is full. */
static int prepare(const char *dir, const char *file, struct err *e)
{
	struct index_info info = { 0 };
	char path[PATH];

	snprintf(path, sizeof path, "%s/%s", dir, file);
	struct db *db = db_open(path, DB_WRITE, e);
	int rc = -1;
	if (db)
		rc = db_persist_wal(db, e);
	if (!rc)
		rc = store_read_info(db, &info, e);
	db_close(db);
	return rc;
}

int store_publish(const char *dir, const char *file, struct err *e)
{
	char tmp[80];

	snprintf(tmp, sizeof tmp, "%s.tmp", file);
	if (replace(dir, tmp, file, e) || prepare(dir, file, e))
		return -1;
	return write_line(dir, "CURRENT", file, e);
}

struct sweep_state {
	const char *dir, *keep, *keep2;
	int64_t newest;		/* the newest corrupt file: older ones are deleted */
};

static void newest_corrupt(void *arg, const char *name, int64_t generation, const char *tail)
{
	struct sweep_state *w = arg;

	(void)name;
	if (!strcmp(tail, ".corrupt") && generation > w->newest)
		w->newest = generation;
}

/* Whether the file is the index `keep` (may be NULL) or one of SQLite's files beside it. */
static bool belongs(const char *name, const char *keep, const char *tail)
{
	bool own = !*tail;

	for (size_t i = 0; i < LEN(companions); i++)
		own |= !strcmp(tail, companions[i]);
	if (!keep || !own)
		return false;
	size_t n = strlen(keep);
	return strlen(name) == n + strlen(tail) && !strncmp(name, keep, n);
}

static void sweep(void *arg, const char *name, int64_t generation, const char *tail)
{
	struct sweep_state *w = arg;
	char path[PATH];

	if (belongs(name, w->keep, tail) || belongs(name, w->keep2, tail))
		return;
	if (!strcmp(tail, ".corrupt") && generation == w->newest)
		return;
	snprintf(path, sizeof path, "%s/%s", w->dir, name);
	unlink(path);
}

void store_sweep(const char *dir, const char *keep, const char *keep2)
{
	struct sweep_state w = { dir, keep, keep2, 0 };

	each_index(dir, newest_corrupt, &w);
	each_index(dir, sweep, &w);
}
