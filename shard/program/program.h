#ifndef SHARD_PROGRAM_PROGRAM_H
#define SHARD_PROGRAM_PROGRAM_H
/*
 * What the files of an index say to each other, in memory: their paths, and for each that is
 * needed its definitions, imports, bases and the locals on which types of others depend.  Either
 * filled by who has just parsed all files (then it is read only, and threads may share it) or
 * loaded from an index, file by file as it is asked.  Everything is in order of (path, position).
 * Look-ups by the files that are resolved go through resolver.h, which notes what they depend on.
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
struct string_pool;

/* A definition as others see it.  Its strings are the world's. */
struct sym {
	const char *name, *qualified, *type, *value;
	const struct sym *next;		/* with the same name */
	uint32_t number;		/* of its id (symbol_store.h) in its file */
	uint32_t file;			/* its place in world.files */
	int32_t index;			/* of facts.definitions; -1: not loaded, see program_load_symbol */
	int32_t parent;			/* index or -1 */
	uint8_t kind, owner;		/* enum kind; that of its parent, or KINDS */
	bool exported, test;
	bool extends;			/* is called on its first parameter, too */
	bool has_receiver;			/* an extension: a local says of what (RECEIVER_LOCAL) */
	int8_t least, most;		/* arguments that it takes; most -1: unknown */
};

/* Definitions and what their types depend on.  Locals are in order of definition. */
struct file_symbols {
	struct sym *v;
	size_t n;
	uint32_t *order;		/* by qualified name, then position */
	/* places in it and 1, by a hash of the qualified name, the first of its name; 0: free */
	uint32_t *slots, nslots;
	struct import *imports;
	struct base_type *bases;
	struct local *locals;
	uint32_t *assigned;		/* which of the locals are what methods give to fields: `self.NAME` */
	size_t nimports, nbases, nlocals, nassigned;
};

struct source_file {
	int64_t id;
	const char *path;
	const char *dir;		/* "" at the root */
	const char *stem;		/* its name without extension */
	const char *package;		/* declared, or by its path; NULL: none */
	const struct dialect *dialect;	/* NULL: nothing to resolve */
	uint32_t place;
	uint32_t scope_key, member_key, type_key;	/* resolver.h: i; what m and t begin with */
	bool test;
	struct file_symbols *symbols;		/* NULL: not loaded */
};

/* A file as program_add_file is given it: strings are valid UTF-8. */
struct source_file_info {
	int64_t id;
	const char *path, *language;
	const char *package;		/* declared, or NULL */
	bool test;
};

struct file_list {
	struct source_file **v;
	size_t n, cap;
};

struct program {
	struct db *db;			/* NULL: everything is here, and nothing changes any more */
	struct arena *a;
	struct source_file *files;		/* in order of path */
	size_t nfiles, cap;
	struct string_pool *strings;
	struct map *names;		/* name -> the first sym of it, as far as it was asked */
	struct {
		struct sym **v;		/* the same of all names; open addressing by its hash */
		uint32_t *hashes;
		size_t size;
	} all;
	/* path, path without extension, folder of an index -> struct file_list */
	struct map *paths;
	struct map *stems;		/* stem, folder of an index -> struct file_list */
	struct map *dirs;		/* folder -> struct file_list */
	struct map *packages;		/* package, or a beginning of it -> struct file_list */
	struct err *e;			/* the first failure of a look-up; the answer was "nothing" */
};

/*
 * The files of an index, from which the rest is loaded.  NULL with `e`, which world_* also set
 * later: it must live as long.
 */
struct program *program_open(struct db *, struct err *e);
void program_free(struct program *);	/* NULL is fine */

/*
 * One that is filled: each file once, in any order; program_finish ends that.  Definitions have
 * the ids that a fresh index gives them (symbol_store.h).  Keeps nothing of its arguments.  NULL
 * with `e` (INTERNAL).
 */
struct program *program_new(struct err *e);
void program_add_file(struct program *, const struct source_file_info *, const struct facts *);
void program_finish(struct program *);

/* Whether it is read for what it defines alone: gRPC services. */
bool source_file_is_proto(const struct source_file *);

/* The unit of a file; empty for one without facts. */
const struct file_symbols *program_file_symbols(struct program *, struct source_file *);

/*
 * The first definition of that very name; those of `sym.index` -1 have no type, value, index of
 * the parent and arguments yet.
 */
const struct sym *program_find_name(struct program *, const char *name);
const struct sym *program_load_symbol(struct program *, const struct sym *);

/*
 * The world's copy of a string (NULL: NULL), in valid UTF-8 as `symbols` has it; equal strings are
 * one.
 */
const char *program_intern(struct program *, const char *);
#endif
