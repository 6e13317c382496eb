#ifndef SHARD_WORLD_H
#define SHARD_WORLD_H
/*
 * What the files of an index say to each other, in memory: their paths, and for each that is needed its definitions,
 * imports, bases and the locals on which types of others depend.  Either loaded whole (then it is read only and threads
 * may share it) or file by file as it is asked.  Everything is in order of (path, position).  Look-ups by the files that
 * are resolved go through look.h, which notes what they depend on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shard/dialect.h"
#include "shard/facts.h"
#include "shard/kinds.h"

struct arena;
struct db;
struct err;
struct map;

/* A definition as others see it.  Its strings are the world's. */
struct sym {
	const char *name, *qualified, *type, *value;
	const struct sym *next;		/* with the same name */
	int64_t id;			/* in `symbols` */
	uint32_t file;			/* its place in world.files */
	int32_t index;			/* of facts.definitions; -1: not loaded, see world_whole */
	int32_t parent;			/* index or -1 */
	uint8_t kind, owner;		/* enum kind; that of its parent, or KINDS */
	bool exported, test;
	int8_t least, most;		/* arguments that it takes; most -1: unknown */
};

/* Definitions and what their types depend on.  Locals are in order of definition. */
struct unit {
	struct sym *v;
	size_t n;
	uint32_t *order;		/* by qualified name, then position */
	struct import *imports;
	struct base *bases;
	struct local *locals;
	size_t nimports, nbases, nlocals;
};

struct file {
	int64_t id;
	const char *path, *blob, *language;
	const char *dir;		/* "" at the root */
	const char *stem;		/* its name without extension */
	const char *package;		/* declared, or by its path; NULL: none */
	const struct dialect *dialect;	/* NULL: nothing to resolve */
	uint32_t place;
	bool test;
	struct unit *unit;		/* NULL: not loaded */
};

struct file_list {
	struct file **v;
	size_t n, cap;
};

struct sym_list {
	struct sym *first, *last;
	size_t n;
};

struct world {
	struct db *db;
	struct arena *a;
	bool whole;			/* all units are loaded, `names` is complete */
	struct file *files;		/* in order of path */
	size_t nfiles;
	struct map *strings;
	struct map *names;		/* name -> struct sym_list */
	struct map *paths;		/* path, path without extension, folder of an index -> struct file_list */
	struct map *stems;		/* stem, folder of an index -> struct file_list */
	struct map *dirs;		/* folder -> struct file_list */
	struct map *packages;		/* package, or a beginning of it -> struct file_list */
	struct err *e;			/* the first failure of a look-up; the answer was "nothing" */
};

/* The files of an index.  NULL with `e`, which world_* also set later: it must live as long. */
struct world *world_new(struct db *, struct err *e);
void world_free(struct world *);	/* NULL is fine */

/* Load every unit. */
int world_load(struct world *);

/* The unit of a file; empty for one without facts. */
const struct unit *world_unit(struct world *, struct file *);

/* Definitions of that very name; those of `sym.index` -1 have no type, value, index of the parent and arguments yet. */
const struct sym_list *world_named(struct world *, const char *name);
const struct sym *world_whole(struct world *, const struct sym *);

/* The first definition with that qualified name, by place in `order`; unit.n: none. */
size_t unit_find(const struct unit *, const char *qualified);
#endif
