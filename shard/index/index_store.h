#ifndef SHARD_INDEX_INDEX_STORE_H
#define SHARD_INDEX_INDEX_STORE_H
/*
 * The index on disk: DATA/<collection>/index-<generation>.db, and CURRENT, which names the
 * published one. A full build is written to a temporary file, made durable and renamed; then
 * CURRENT is replaced. Each further generation changes the published file in one transaction
 * (SQLite's WAL), so that a reader sees either the old or the new one. A crash or a power cut at
 * any instant leaves the last generation intact. The number in a file's name is that of its first
 * generation; the file `generation` beside CURRENT holds the largest number ever used.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/clock.h"
#include "proto/net/crypto.h"
#include "shard/git/repo.h"

struct db;
struct err;
struct ranking;

enum {
	SCHEMA_VERSION = 20,
	/*
	 * The oldest index that requests can be answered from while it is rebuilt: raise these when a
	 * reader no longer understands what such an index stores.
	 */
	SCHEMA_READABLE = 19,
	EXTRACTOR_READABLE = 28,
	RANKING_ROW_DOCS = 1024 /* documents in a row of `ranking` */
};

/* The metadata of an index: its table `meta`. */
struct index_info {
	char file[64];			/* its name in the data directory; "" if there is no index */
	int64_t schema, extractor, generation;
	char commit[REPO_OID_SIZE], graph_hash[SHA256_HEX], indexed_at[CLOCK_ISO];
	/* settings: hash of the settings that decide how files are read */
	char repo_uri[600], branch[256], settings[SHA256_HEX];
	int64_t ingest_ms, files, bytes, symbols, documents, contracts;
	int64_t shallow;		/* commits at which the history of a shallow clone ends */
	char gaps[2000];		/* what it lacks of its commit, by cause (index_gaps.h) */
	bool outdated; /* an older program made it: it can be read, and is to be rebuilt */
};

/*
 * Reads the metadata of the index that CURRENT names. NO_INDEX: nothing is published. DB_ERROR: it
 * cannot be read. SCHEMA_MISMATCH: a schema or extractor that is too old or newer; `out` is filled
 * as far as it could be read.
 */
int store_current(const char *dir, struct index_info *out, struct err *e);

/* Opens an index for reading by one thread, with a small page cache. */
struct db *store_open(const char *dir, const char *file, struct err *e);

/* The generation of an open index. As long as it stays the same, so does all other metadata. */
int store_generation(struct db *, int64_t *out, struct err *e);

/* The version of the extractor whose facts an open index holds. */
int store_extractor(struct db *, int64_t *out, struct err *e);

/* Reads the metadata of an open index; `file` is not changed. Call it first after db_read_begin. */
int store_read_info(struct db *, struct index_info *out, struct err *e);

/*
 * Reads the table `ranking` (lengths, priors and so on of the documents) into one block of memory,
 * which the caller frees with free(*mem).
 */
int store_read_ranking(struct db *, struct ranking *, void **mem, struct err *e);

/* The size of an index on disk, including SQLite's log of the latest changes. */
uint64_t store_disk_bytes(const char *dir, const char *file);

/* Checks the pages of the whole index, unless it is unchanged since it was sealed. DB_ERROR. */
int store_check(const char *dir, const char *file, struct err *e);

/*
 * Records that the index is intact in its present state. This holds until somebody writes to it or
 * the machine reboots. Call it after the writer has finished successfully.
 */
void store_seal(const char *dir, const char *file);

/*
 * Renames a damaged index to FILE.corrupt and leaves nothing published; only the last such file is
 * kept.
 */
void store_set_aside(const char *dir, const char *file);

/* The generation for the next index: larger than every one that was ever used here. */
int64_t store_next_generation(const char *dir);

/*
 * Records the number of a generation that is about to be published in an existing file, whose name
 * has an earlier number.
 */
int store_reserve(const char *dir, int64_t generation, struct err *e);

/* Stores `info` in a db that is being written. */
int store_put_info(struct db *, const struct index_info *info, struct err *e);

/*
 * Makes FILE.tmp durable, renames it to FILE, and makes CURRENT name it. This is the writer's last
 * step.
 */
int store_publish(const char *dir, const char *file, struct err *e);

/*
 * Deletes what nobody will read again: half-written files, and all indexes except `keep` and
 * `keep2` (either may be NULL).
 */
void store_sweep(const char *dir, const char *keep, const char *keep2);
#endif
