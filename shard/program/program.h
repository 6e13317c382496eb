#ifndef SHARD_PROGRAM_PROGRAM_H
#define SHARD_PROGRAM_PROGRAM_H
/*
 * What the files of an index know about each other, in memory: their paths, and for each file that
 * is needed its definitions, imports, bases and the locals that types of other files depend on.  A
 * program is either filled by the caller that has just parsed all files (then it is read only, and
 * threads may share it), or loaded from an index file by file on demand.  Everything is in order of
 * (path, position).  Files are resolved through resolver.h, which records what they depend on.
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

/* A definition as other files see it.  Its strings belong to the program. */
struct sym {
	const char *name, *qualified, *type, *value;
	const struct sym *next;		/* with the same name */
	uint32_t number;		/* of its id (symbol_store.h) in its file */
	uint32_t file;			/* index in program.files */
	int32_t index;			/* in facts.definitions; -1 until program_load_symbol */
	int32_t parent;			/* index or -1 */
	uint8_t kind, owner;		/* enum kind; that of its parent, or KINDS */
	bool exported, test;
	bool extends;			/* may also be called on its first parameter */
	bool has_receiver;		/* an extension; a local has its type (RECEIVER_LOCAL) */
	int8_t least, most;		/* number of arguments; most -1 = any number */
};

/* Definitions and what their types depend on.  Locals are in order of definition. */
struct file_symbols {
	struct sym *v;
	size_t n;
	uint32_t *order;		/* by qualified name, then position */
	/* hash table of 1 + the first place in `order` of each qualified name; 0 = free */
	uint32_t *slots, nslots;
	uint8_t *names;			/* nslots * 8 bits: those of the names by hash are set */
	struct import *imports;
	struct base_type *bases;
	struct local *locals;
	uint32_t *assigned;		/* indices of the locals that are fields: `self.NAME` */
	size_t nimports, nbases, nlocals, nassigned;
};

struct source_file {
	int64_t id;
	const char *path;
	const char *dir;		/* "" at the root */
	const char *stem;		/* its name without extension */
	const char *package;		/* declared, or by its path; or NULL */
	const struct dialect *dialect;	/* NULL if there is nothing to resolve */
	uint32_t place;			/* index in program.files */
	int origin;			/* 0: this repository; else another one, from which it came */
	uint32_t scope_key, member_key, type_key;	/* resolver.h: key i; the beginnings of m and t */
	bool test;
	struct file_symbols *symbols;	/* NULL until it is loaded */
};

/* The input of program_add_file; strings are valid UTF-8. */
struct source_file_info {
	int64_t id;
	const char *path, *language;
	const char *package;		/* declared, or NULL */
	bool test;
	int origin;			/* as in struct source_file */
};

struct file_list {
	struct source_file **v;
	size_t n, cap;
};

/* By what files are found. */
enum file_list_key {
	FILES_BY_PATH,		/* with and without extension; the folder of an index */
	FILES_BY_STEM,		/* and by the name of the folder of an index */
	FILES_BY_DIR,
	FILES_BY_PACKAGE,	/* and by its beginnings */
	FILE_LISTS
};

struct program {
	struct db *db;			/* NULL if everything is in memory and read only */
	struct arena *a;
	struct source_file *files;	/* in order of path */
	size_t nfiles, cap;
	struct string_pool *strings;
	struct map *names;		/* cache: name -> its first sym */
	struct {
		struct sym **v;		/* the first sym of every name; open addressing by its hash */
		uint32_t *hashes;
		size_t size;
	} all;
	struct map *lists[FILE_LISTS];	/* key -> struct file_list; NULL until one is needed */
	struct err *e;			/* the first failed lookup, which returned nothing */
};

/*
 * The files of an index; the rest is loaded on demand.  NULL with `e`.  Later failures of
 * program_* are also stored in `e`, so it must outlive the program.
 */
struct program *program_open(struct db *, struct err *e);
void program_free(struct program *);	/* NULL is fine */

/* The files with this key, in order of path; empty if there are none. */
const struct file_list *program_files_by(struct program *, enum file_list_key, const char *key);

/*
 * The same, to add files of other repositories (`origin`) before program_finish.  They are in
 * memory; the files of the index are still loaded on demand.
 */
struct program *program_begin(struct db *, struct err *e);

/*
 * An empty program.  Add each file once, in any order, then call program_finish.  Definitions have
 * the ids that a fresh index gives them (symbol_store.h).  Copies its arguments.  NULL with `e`
 * (INTERNAL).
 */
struct program *program_new(struct err *e);
void program_add_file(struct program *, const struct source_file_info *, const struct facts *);
void program_finish(struct program *);

/* Whether it is a .proto file, which only defines gRPC services. */
bool source_file_is_proto(const struct source_file *);

/* The symbols of a file; empty if it has no facts. */
const struct file_symbols *program_file_symbols(struct program *, struct source_file *);

/*
 * The first definition with exactly that name.  Definitions whose index is -1 have no type, value,
 * parent and arguments; program_load_symbol returns the complete definition.
 */
const struct sym *program_find_name(struct program *, const char *name);
const struct sym *program_load_symbol(struct program *, const struct sym *);

/* Whether a file of another repository defines the name. */
bool program_has_external(const struct program *, const char *name);

/*
 * The program's copy of a string in valid UTF-8, as in `symbols`; equal strings are one pointer.
 * NULL for NULL.
 */
const char *program_intern(struct program *, const char *);
#endif
