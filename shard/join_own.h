#ifndef SHARD_JOIN_OWN_H
#define SHARD_JOIN_OWN_H
/* The parts of join: the files in hand and their names (join_files), calls (join_calls), settings and objects (join_objects). */

#include "shard/contracts_own.h"
#include "shard/join.h"
#include "shard/look.h"

struct db;
struct err;
struct texts;

/* All that is known while files are asked. */
struct join {
	struct db *db;
	const struct texts *texts;
	struct parser *parser, *own;	/* own: made here */
	struct world *w;
	struct look look;
	struct file **by_id;		/* all files in order of id */
	struct reading **reading;	/* by place */
	size_t bytes;			/* of the texts that are in hand */
	unsigned owners;		/* files that were asked so far */
	struct known_calls *calls;	/* for the file whose questions are answered; in look.a */
	struct err *e;
};

/* ---- join_files.c ---- */

/* A file of the index, or NULL. */
struct file *join_by_id(const struct join *j, int64_t id);
struct file *join_by_path(const struct join *j, const char *path);

/* Between files: of more than `most` bytes of text, what was not asked for a long time is given back first. */
void join_forget(struct join *j, size_t most);

/* Ready for questions about the index; 0 or -1.  join_end in both cases. */
int join_begin(struct join *j, struct db *db, const struct texts *texts, struct err *e);
void join_end(struct join *j);

/* ---- join_objects.c ---- */

/* By what `mounts` knows an object. */
const char *join_child(const struct identity *x, struct arena *a);

#endif
