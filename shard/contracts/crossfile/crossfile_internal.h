#ifndef SHARD_CONTRACTS_CROSSFILE_CROSSFILE_INTERNAL_H
#define SHARD_CONTRACTS_CROSSFILE_CROSSFILE_INTERNAL_H
/*
 * The parts of join: who asks what of each file (join_work), the files in hand and their names (join_files), calls (join_calls),
 * settings and objects (join_objects).
 */

#include <pthread.h>

#include "proto/base/err.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/contracts/framework_objects.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/resolver.h"

struct db;
struct texts;

/* All that one thread knows while it asks files. */
struct join {
	struct join_head head;		/* the first: other_files.h */
	struct db *db;			/* between join_lock and join_unlock */
	pthread_mutex_t *lock;
	const struct texts *texts;
	struct parser *parser, *own;	/* own: made here */
	struct world *w;
	const char *binds;		/* of join_work */
	struct look look;
	struct file **by_id;		/* all files in order of id */
	struct reading **reading;	/* by place */
	size_t bytes, most;		/* of the texts that are in hand; of those that may be */
	unsigned owners;		/* files that were asked so far */
	struct known_calls *calls;	/* for the file whose questions are answered; in look.a */
	struct err *e;
};

enum { JOIN_THREADS = 16 };

/* Those who ask, and what they share. */
struct join_work {
	struct db *db;
	struct world *w, *own;		/* own: opened here */
	pthread_mutex_t lock;		/* around the database, and around what is next */
	char *binds;			/* the frameworks of whose objects files speak, with blanks around each */
	struct join join[JOIN_THREADS];
	struct err e[JOIN_THREADS];
	int n;
};

/* ---- crossfile_threads.c ---- */

/* Ready for questions about the index, of which `world`, if there is one, says what all files do; 0 or -1.  join_work_end in both cases. */
int join_work_begin(struct join_work *, struct db *, struct world *world, int threads, const struct texts *, struct err *);
void join_work_end(struct join_work *);

/* What the files say of objects of others, in place of what was known; the keys (int32_t) of those others at the end of `children`. */
int join_links(struct join_work *, struct file **, size_t n, struct buf *children, struct err *);

/* The facts of the files, in place of those that they have. */
int join_facts(struct join_work *, struct file **, size_t n, struct err *);

/* What a file is told of objects that are made elsewhere: names of frameworks, with blanks around; or NULL. */
const char *join_given(struct db *, int64_t file, struct arena *, struct err *);

/* ---- crossfile_files.c ---- */

/* For other_files.h. */
struct reading *joined_read(struct join *, struct file *);
int joined_name(struct join *, struct reading *, TSNode at, const char *chain, const struct sym **sym, struct file **file);
struct term joined_constant(struct join *, struct reading *, const char *name);
bool joined_lacks(struct join *, struct reading *, const char *type, const char *method);
struct file *joined_module(struct join *, struct reading *, const char *module);
struct file *joined_path(struct join *, struct reading *, const char *path);

/* Around each use of the database and of texts. */
static inline void join_lock(struct join *j)
{
	pthread_mutex_lock(j->lock);
}
static inline void join_unlock(struct join *j)
{
	pthread_mutex_unlock(j->lock);
}

/* A file of the index, or NULL. */
struct file *join_by_id(const struct join *j, int64_t id);
struct file *join_by_path(const struct join *j, const char *path);

/* Between files: of more bytes of text than may be, what was not asked for a long time is given back first. */
void join_forget(struct join *);

/* One who asks, with the parser of that number, or one of its own; 0 or -1.  join_end in both cases, also without. */
int join_begin(struct join *, struct join_work *, const struct texts *, size_t number, struct err *);
void join_end(struct join *);

/* For one question to resolve: with steps of its own. */
struct look *join_look(struct join *);

/* ---- crossfile_calls.c ---- */

/* For other_files.h. */
size_t joined_callers(struct join *, struct reading *, int definition, struct term *out, size_t max);

struct stored_edges;

/* The files that know something of a file and are no tests, in order of path; NULL: the index cannot be read. */
struct file **join_files_into(struct join *, const struct file *, struct arena *, size_t *n);

/* The edges of a file; 0 or -1. */
int join_edges_from(struct join *, const struct file *, struct arena *, struct stored_edges *out);

/* ---- crossfile_objects.c ---- */

/* For other_files.h. */
const char *joined_setting(struct join *, const struct reading *, const char *key, bool here, const char **path, uint32_t *line);
size_t joined_mounts(struct join *, const struct identity *, const struct framework *, struct join_mount *out, size_t max);
size_t joined_named(struct join *, const char *name, const struct framework *, struct join_mount *out, size_t max);
bool joined_binds(struct join *, const struct framework *);
size_t joined_globals(struct join *, const struct reading *from, const struct framework *, const char *name,
    struct join_mount *out, size_t max);

/* By what `mounts` knows an object. */
const char *join_child(const struct identity *x, struct arena *a);

/* ---- crossfile_types.c ---- */

/* For other_files.h. */
bool joined_base(struct join *, struct reading *, int type, size_t i, struct reading **in, int *base);
size_t joined_derived(struct join *, struct reading *, int type, struct of_type *out, size_t max);
int joined_type(struct join *, struct reading *, TSNode at, const char *chain, struct reading **in);
#endif
