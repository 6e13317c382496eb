#ifndef SHARD_PROGRAM_PROGRAM_H
#define SHARD_PROGRAM_PROGRAM_H
/*
 * What the files of an index say to each other, in memory: their paths, and for each that is needed its definitions,
 * imports, bases and the locals on which types of others depend.  Either filled by who has just parsed all files (then it is read
 * only, and threads may share it) or loaded from an index, file by file as it is asked.  Everything is in order of (path,
 * position).  Look-ups by the files that are resolved go through resolver.h, which notes what they depend on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shard/base/kinds.h"
#include "shard/facts/facts.h"
#include "shard/program/module_rules.h"

struct arena;
struct db;
struct err;
struct map;
struct strings;

/* A definition as others see it.  Its strings are the world's. */
struct sym {
	const char *name, *qualified, *type, *value;
	const struct sym *next;		/* with the same name */
	uint32_t number;		/* of its id (symbol_store.h) in its file */
	uint32_t file;			/* its place in world.files */
	int32_t index;			/* of facts.definitions; -1: not loaded, see world_whole */
	int32_t parent;			/* index or -1 */
	uint8_t kind, owner;		/* enum kind; that of its parent, or KINDS */
	bool exported, test;
	bool extends;			/* is called on its first parameter, too */
	bool receives;			/* an extension: a local says of what (RECEIVER_LOCAL) */
	int8_t least, most;		/* arguments that it takes; most -1: unknown */
};

/* Definitions and what their types depend on.  Locals are in order of definition. */
struct unit {
	struct sym *v;
	size_t n;
	uint32_t *order;		/* by qualified name, then position */
	uint32_t *slots, nslots;	/* places in it and 1, by a hash of the qualified name, the first of its name; 0: free */
	struct import *imports;
	struct base *bases;
	struct local *locals;
	uint32_t *assigned;		/* which of the locals are what methods give to fields: `self.NAME` */
	size_t nimports, nbases, nlocals, nassigned;
};

struct file {
	int64_t id;
	const char *path;
	const char *dir;		/* "" at the root */
	const char *stem;		/* its name without extension */
	const char *package;		/* declared, or by its path; NULL: none */
	const struct dialect *dialect;	/* NULL: nothing to resolve */
	uint32_t place;
	uint32_t inside_key, member_key, type_key;	/* resolver.h: i; what m and t begin with */
	bool test;
	struct unit *unit;		/* NULL: not loaded */
};

/* A file as world_add is given it: strings are valid UTF-8. */
struct world_file {
	int64_t id;
	const char *path, *language;
	const char *package;		/* declared, or NULL */
	bool test;
};

struct file_list {
	struct file **v;
	size_t n, cap;
};

struct world {
	struct db *db;			/* NULL: everything is here, and nothing changes any more */
	struct arena *a;
	struct file *files;		/* in order of path */
	size_t nfiles, cap;
	struct strings *strings;
	struct map *names;		/* name -> the first sym of it, as far as it was asked */
	struct {
		struct sym **v;		/* the same of all names; open addressing by its hash */
		uint32_t *hashes;
		size_t size;
	} all;
	struct map *paths;		/* path, path without extension, folder of an index -> struct file_list */
	struct map *stems;		/* stem, folder of an index -> struct file_list */
	struct map *dirs;		/* folder -> struct file_list */
	struct map *packages;		/* package, or a beginning of it -> struct file_list */
	struct err *e;			/* the first failure of a look-up; the answer was "nothing" */
};

/* The files of an index, from which the rest is loaded.  NULL with `e`, which world_* also set later: it must live as long. */
struct world *world_open(struct db *, struct err *e);
void world_free(struct world *);	/* NULL is fine */

/*
 * One that is filled: each file once, in any order; world_ready ends that.  Definitions have the ids that a fresh index gives them
 * (symbol_store.h).  Keeps nothing of its arguments.  NULL with `e` (INTERNAL).
 */
struct world *world_new(struct err *e);
void world_add(struct world *, const struct world_file *, const struct facts *);
void world_ready(struct world *);

/* Whether it is read for what it defines alone: gRPC services. */
bool world_is_proto(const struct file *);

/* The unit of a file; empty for one without facts. */
const struct unit *world_unit(struct world *, struct file *);

/* The first definition of that very name; those of `sym.index` -1 have no type, value, index of the parent and arguments yet. */
const struct sym *world_named(struct world *, const char *name);
const struct sym *world_whole(struct world *, const struct sym *);

/* The world's copy of a string (NULL: NULL), in valid UTF-8 as `symbols` has it; equal strings are one. */
const char *world_string(struct world *, const char *);
#endif
