#ifndef SHARD_INDEX_INDEX_STORE_H
#define SHARD_INDEX_INDEX_STORE_H
/*
 * The index on disk: DATA/<collection>/index-<generation>.db, and CURRENT, which names the
 * published one. A whole index is written aside, made durable, renamed; then CURRENT is replaced.
 * A published file is changed by one transaction for each further generation (SQLite's WAL), so
 * that a reader sees one or the other.  A crash or a power cut at any instant leaves the last
 * generation.  The number in a file's name is that of its first generation; `generation` beside
 * CURRENT is the largest number that was given.
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
	SCHEMA_VERSION = 17,
	RANKING_ROW_DOCS = 1024	/* documents in a row of `ranking` */
};

/* What an index says of itself: its table `meta`. */
struct index_info {
	char file[64];			/* its name in the data directory; "": there is none */
	int64_t schema, extractor, generation;
	char commit[REPO_OID_SIZE], graph_hash[SHA256_HEX], indexed_at[CLOCK_ISO];
	/* settings: hash of what decides how files are read */
	char repo_uri[600], branch[256], settings[SHA256_HEX];
	int64_t ingest_ms, files, bytes, symbols, documents, contracts;
};

/*
 * What CURRENT names.  NO_INDEX: nothing is published.  DB_ERROR: it cannot be read.
 * SCHEMA_MISMATCH: another schema, extractor or repository; `out` is filled as far as it could be
 * read.
 */
int store_current(const char *dir, struct index_info *out, struct err *e);

/* Open an index for reading, by one thread, with little memory. */
struct db *store_open(const char *dir, const char *file, struct err *e);

/* The generation of an open index: what has the same says the same of itself. */
int store_generation(struct db *, int64_t *out, struct err *e);

/*
 * What an open index says of itself; `file` is left alone.  The first to be asked after
 * db_read_begin.
 */
int store_read_info(struct db *, struct index_info *out, struct err *e);

/*
 * Lengths, priors and number of its documents, in one piece of memory that is the caller's:
 * free(*mem).
 */
int store_read_ranking(struct db *, struct ranking *, void **mem, struct err *e);

/* What an index takes on the disk, with SQLite's log of its last changes. */
uint64_t store_disk_bytes(const char *dir, const char *file);

/* Read the whole index as a check of its pages, unless it is as it was sealed.  DB_ERROR. */
int store_check(const char *dir, const char *file, struct err *e);

/*
 * Note that the index is in order as it is, until somebody writes to it or the machine starts
 * anew.  After its writer has ended well.
 */
void store_seal(const char *dir, const char *file);

/*
 * Set a damaged index aside as FILE.corrupt and publish nothing; only the last such file is kept.
 */
void store_set_aside(const char *dir, const char *file);

/* The generation that the next index gets: larger than every one that was ever given here. */
int64_t store_next_generation(const char *dir);

/* Note that a generation is about to be published in a file that was named after an earlier one. */
int store_reserve(const char *dir, int64_t generation, struct err *e);

/* Put the values of `info` into a db that is being written. */
int store_put_info(struct db *, const struct index_info *info, struct err *e);

/* Make FILE.tmp durable, rename it to FILE and CURRENT to it.  The writer's last step. */
int store_publish(const char *dir, const char *file, struct err *e);

/*
 * Remove what no one will read again: indexes but `keep` and `keep2` (NULL: none), half-written
 * files.
 */
void store_sweep(const char *dir, const char *keep, const char *keep2);
#endif
