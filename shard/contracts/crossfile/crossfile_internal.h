#ifndef SHARD_CONTRACTS_CROSSFILE_CROSSFILE_INTERNAL_H
#define SHARD_CONTRACTS_CROSSFILE_CROSSFILE_INTERNAL_H
/*
 * The parts of join: who asks what of each file (crossfile_pool), the files in hand and their
 * names (join_files), calls (join_calls), settings and objects (join_objects).
 */

#include <pthread.h>

#include "proto/base/err.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/contracts/framework_objects.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/resolver.h"

struct db;
struct text_source;

/* All that one thread knows while it asks files. */
struct crossfile {
	struct other_files_base head;		/* the first: other_files.h */
	struct db *db;			/* between crossfile_lock and crossfile_unlock */
	pthread_mutex_t *lock;
	const struct text_source *texts;
	struct parser *parser, *own;	/* own: made here */
	struct program *w;
	const char *binds;		/* of crossfile_pool */
	struct name_resolver look;
	struct source_file **by_id;		/* all files in order of id */
	struct contract_file **reading;	/* by place */
	size_t bytes, most;		/* of the texts that are in hand; of those that may be */
	unsigned owners;		/* files that were asked so far */
	struct cached_callers *calls;	/* for the file whose questions are answered; in look.a */
	struct err *e;
};

enum { CROSSFILE_THREADS = 16 };

/* Those who ask, and what they share. */
struct crossfile_pool {
	struct db *db;
	struct program *w, *own;		/* own: opened here */
	pthread_mutex_t lock;		/* around the database, and around what is next */
	/* the frameworks of whose objects files speak, with blanks around each */
	char *binds;
	struct crossfile join[CROSSFILE_THREADS];
	struct err e[CROSSFILE_THREADS];
	int n;
};

/* ---- crossfile_threads.c ---- */

/*
 * Ready for questions about the index, of which `world`, if there is one, says what all files do;
 * 0 or -1.  crossfile_pool_end in both cases.
 */
int crossfile_pool_begin(struct crossfile_pool *, struct db *, struct program *world, int threads,
    const struct text_source *, struct err *);
void crossfile_pool_end(struct crossfile_pool *);

/*
 * What the files say of objects of others, in place of what was known; the keys (int32_t) of those
 * others at the end of `children`.
 */
int crossfile_update_mounts(
    struct crossfile_pool *, struct source_file **, size_t n, struct buf *children, struct err *);

/* The facts of the files, in place of those that they have. */
int crossfile_update_facts(struct crossfile_pool *, struct source_file **, size_t n, struct err *);

/*
 * What a file is told of objects that are made elsewhere: names of frameworks, with blanks around;
 * or NULL.
 */
const char *crossfile_frameworks_given(struct db *, int64_t file, struct arena *, struct err *);

/* ---- crossfile_files.c ---- */

/* For other_files.h. */
struct contract_file *crossfile_read_file(struct crossfile *, struct source_file *);
int crossfile_resolve_name(struct crossfile *, struct contract_file *, TSNode at, const char *chain,
    const struct sym **sym, struct source_file **file);
struct expression crossfile_constant(struct crossfile *, struct contract_file *, const char *name);
bool crossfile_lacks_method(
    struct crossfile *, struct contract_file *, const char *type, const char *method);
struct source_file *crossfile_module(
    struct crossfile *, struct contract_file *, const char *module);
struct source_file *crossfile_find_path(
    struct crossfile *, struct contract_file *, const char *path);

/* Around each use of the database and of texts. */
static inline void crossfile_lock(struct crossfile *j)
{
	pthread_mutex_lock(j->lock);
}
static inline void crossfile_unlock(struct crossfile *j)
{
	pthread_mutex_unlock(j->lock);
}

/* A file of the index, or NULL. */
struct source_file *crossfile_file_by_id(const struct crossfile *j, int64_t id);
struct source_file *crossfile_file_by_path(const struct crossfile *j, const char *path);

/*
 * Between files: of more bytes of text than may be, what was not asked for a long time is given
 * back first.
 */
void crossfile_evict(struct crossfile *);

/*
 * One who asks, with the parser of that number, or one of its own; 0 or -1.  crossfile_end in both
 * cases, also without.
 */
int crossfile_begin(struct crossfile *, struct crossfile_pool *, const struct text_source *,
    size_t number, struct err *);
void crossfile_end(struct crossfile *);

/* For one question to resolve: with steps of its own. */
struct name_resolver *crossfile_resolver(struct crossfile *);

/* ---- crossfile_calls.c ---- */

/* For other_files.h. */
size_t crossfile_callers(
    struct crossfile *, struct contract_file *, int definition, struct expression *out, size_t max);

struct stored_edges;

/*
 * The files that know something of a file and are no tests, in order of path; NULL: the index
 * cannot be read.
 */
struct source_file **crossfile_referring_files(
    struct crossfile *, const struct source_file *, struct arena *, size_t *n);

/* The edges of a file; 0 or -1. */
int crossfile_edges_from(
    struct crossfile *, const struct source_file *, struct arena *, struct stored_edges *out);

/* ---- crossfile_objects.c ---- */

/* For other_files.h. */
const char *crossfile_setting(struct crossfile *, const struct contract_file *, const char *key,
    bool here, const char **path, uint32_t *line);
size_t crossfile_mounts(struct crossfile *, const struct framework_object *,
    const struct framework *, struct object_mount *out, size_t max);
size_t crossfile_mounts_by_name(struct crossfile *, const char *name, const struct framework *,
    struct object_mount *out, size_t max);
bool crossfile_uses_framework(struct crossfile *, const struct framework *);
size_t crossfile_globals(struct crossfile *, const struct contract_file *from,
    const struct framework *, const char *name, struct object_mount *out, size_t max);

/* By what `mounts` knows an object. */
const char *crossfile_object_key(const struct framework_object *x, struct arena *a);

/* ---- crossfile_types.c ---- */

/* For other_files.h. */
bool crossfile_base_type(struct crossfile *, struct contract_file *, int type, size_t i,
    struct contract_file **in, int *base);
size_t crossfile_derived_types(
    struct crossfile *, struct contract_file *, int type, struct type_ref *out, size_t max);
int crossfile_object_type(struct crossfile *, struct contract_file *, TSNode at, const char *chain,
    struct contract_file **in);
#endif
