#ifndef SHARD_CONTRACTS_CROSSFILE_CROSSFILE_INTERNAL_H
#define SHARD_CONTRACTS_CROSSFILE_CROSSFILE_INTERNAL_H
/*
 * The parts of crossfile: the threads that process files (_threads), the files that are read and
 * their names (_files), calls (_calls), types (_types), settings and objects (_objects).
 */

#include <pthread.h>

#include "proto/base/err.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/contracts/framework_objects.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/resolver.h"

struct db;
struct text_source;

enum { CALLERS_BITS = 8 };

/* The state of one thread. */
struct crossfile {
	struct other_files_base head;		/* the first: other_files.h */
	struct db *db;			/* between crossfile_lock and crossfile_unlock */
	pthread_mutex_t *lock;
	const struct text_source *texts;
	struct parser *parser, *own;	/* own: created here */
	struct program *w;
	const char *binds;		/* of crossfile_pool */
	struct name_resolver look;
	struct source_file **by_id;		/* all files in order of id */
	struct contract_file **reading;	/* by place */
	size_t bytes, most;		/* of the texts in memory; the maximum */
	unsigned owners;		/* files that were processed so far */
	/* for the file that is processed, by hash of the definition; in look.a */
	struct cached_callers *calls[1 << CALLERS_BITS];
	struct cached_derived *derived; /* for the file that is processed; in look.a */
	struct err *e;
};

enum { CROSSFILE_THREADS = 16 };

/* All threads, and what they share. */
struct crossfile_pool {
	struct db *db;
	struct program *w, *own;		/* own: opened here */
	pthread_mutex_t lock;		/* for the database, and for the queue */
	char *binds;			/* the frameworks whose objects files bind, with blanks around each */
	struct crossfile join[CROSSFILE_THREADS];
	struct err e[CROSSFILE_THREADS];
	int n;
};

/* ---- crossfile_threads.c ---- */

/*
 * Prepare the threads.  `world`: the loaded program, or NULL to open one.  0 or -1; call
 * crossfile_pool_end in both cases.
 */
int crossfile_pool_begin(struct crossfile_pool *, struct db *, struct program *world, int threads,
    const struct text_source *, struct err *);
void crossfile_pool_end(struct crossfile_pool *);

/*
 * Replace the mounts of the files; append the keys (int32_t) of the mounted objects to `children`.
 */
int crossfile_update_mounts(
    struct crossfile_pool *, struct source_file **, size_t n, struct buf *children, struct err *);

/* Replace the facts of the files. */
int crossfile_update_facts(struct crossfile_pool *, struct source_file **, size_t n, struct err *);

/*
 * The frameworks whose objects a file may get from other files: names with blanks around them; or
 * NULL.
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
 * Free files until their text fits the limit, those first that were not used for the longest time.
 */
void crossfile_evict(struct crossfile *);

/*
 * Prepare a thread with the parser of that number or its own. 0 or -1; crossfile_end in both cases.
 */
int crossfile_begin(struct crossfile *, struct crossfile_pool *, const struct text_source *,
    size_t number, struct err *);
void crossfile_end(struct crossfile *);

/* The resolver, ready for one lookup with a limit of its own. */
struct name_resolver *crossfile_resolver(struct crossfile *);

/* ---- crossfile_calls.c ---- */

/* For other_files.h. */
size_t crossfile_callers(
    struct crossfile *, struct contract_file *, int definition, struct expression *out, size_t max);

/*
 * The calls of a function that the function around it returns, itself or as a member of an object:
 * const { get } = useApi(); get("/users").  Appends to `out` from `*n` on, `max` in all.
 */
void crossfile_calls_of_returned(struct crossfile *, struct contract_file *, TSNode function,
    int maker, const char *name, struct expression *out, size_t *n, size_t max);

/* For other_files.h. */
size_t crossfile_calls_of_anonymous(struct crossfile *, struct contract_file *, TSNode function,
    struct expression *out, size_t max);

/*
 * Calls of a method by the bases, modules or traits of its type that lack it, appended to `out`.
 */
void crossfile_calls_of_mixed_in(struct crossfile *, struct contract_file *, int definition,
    struct expression *out, size_t *n, size_t max);

/*
 * The calls that call the function which they have as an argument: useSWR(path, fetcher).  As
 * above.
 */
void crossfile_calls_of_value(struct crossfile *, struct contract_file *, int definition,
    struct expression *out, size_t *n, size_t max);

struct stored_edges;

/*
 * The files, except tests, with edges to a file, in order of path; NULL: the index cannot be read.
 */
struct source_file **crossfile_referring_files(
    struct crossfile *, const struct source_file *, struct arena *, size_t *n);

/* The edges of a file; 0 or -1. */
int crossfile_edges_from(
    struct crossfile *, const struct source_file *, struct arena *, struct stored_edges *out);

/* ---- crossfile_receivers.c ---- */

/*
 * Whether a call of the method `overridden` of a base may be one of the method `definition` that
 * overrides it: the object is not known to be of another type.
 */
bool crossfile_call_may_reach(struct crossfile *, struct expression call,
    const struct contract_file *above, int overridden, const struct contract_file *of,
    int definition);

/* ---- crossfile_objects.c ---- */

/* For other_files.h. */
const char *crossfile_setting(struct crossfile *, const struct contract_file *, const char *key,
    bool here, const char **path, uint32_t *line);
size_t crossfile_mounts(struct crossfile *, const struct framework_object *,
    const struct framework *, struct object_mount *out, size_t max);
size_t crossfile_mounts_by_name(struct crossfile *, const char *name, const struct framework *,
    struct object_mount *out, size_t max);
bool crossfile_uses_framework(struct crossfile *, const struct framework *, const char *what);
size_t crossfile_globals(struct crossfile *, const struct contract_file *from,
    const struct framework *, const char *name, struct object_mount *out, size_t max);

/* The key of an object in the table `mounts`. */
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
