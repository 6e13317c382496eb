#ifndef SHARD_CONTRACTS_URLS_OTHER_FILES_H
#define SHARD_CONTRACTS_URLS_OTHER_FILES_H
/*
 * What the other files of the repository say, for an expression of one of them.  Whoever has all files at hand fills the table (crossfile.h);
 * those who follow expressions only ask.  Every question may be put with a NULL join: then there are no other files, and the answer
 * is nothing.
 */

#include "shard/contracts/urls/dataflow.h"

struct framework;
struct identity;

/* A file, read again; NULL: it cannot be read. */
struct reading *join_read(struct join *, struct file *);

/* Where a name or chain of the reading leads: 1 with a definition, 2 with a module (file), 0. */
int join_name(struct join *, struct reading *, TSNode at, const char *chain, const struct sym **sym,
    struct file **file);

/* What the one constant or field of that name in the repository is given, or a null node. */
struct term join_constant(struct join *, struct reading *, const char *name);

/* Whether the repository has types of that name, and none has such a method. */
bool join_lacks(struct join *, struct reading *, const char *type, const char *method);

/* The file that a module is, or NULL. */
struct file *join_module(struct join *, struct reading *, const char *module);

/* The file of that path, from the folder of the reading, else by the end of its path; or NULL. */
struct file *join_path(struct join *, struct reading *, const char *path);

/* Calls of a function from anywhere but tests: into `out`, `max` at most; how many. */
size_t join_callers(struct join *, struct reading *, int definition, struct term *out, size_t max);

/*
 * The value of a setting or environment variable (`here`: of a file that is for the reading's module), or NULL; *line and *path say
 * where.
 */
const char *join_setting(struct join *, const struct reading *, const char *key, bool here,
    const char **path, uint32_t *line);

/* The type that a type of the repository calls its i-th base, in `*in`, by index (-1: another one's); false: it has no more. */
bool join_base(struct join *, struct reading *, int type, size_t i, struct reading **in, int *base);

/* The types that are derived from one, directly: into `out`, `max` at most; how many. */
size_t join_derived(struct join *, struct reading *, int type, struct of_type *out, size_t max);

/* The type of an object, in `*in`, by index, or -1. */
int join_type(struct join *, struct reading *, TSNode at, const char *chain, struct reading **in);

/* What a file says of an object of another. */
struct join_mount {
	struct reading *in;
	uint32_t at; /* byte of the spot */
};
size_t join_mounts(struct join *, const struct identity *, const struct framework *,
    struct join_mount *out, size_t max);
size_t join_named(
    struct join *, const char *name, const struct framework *, struct join_mount *out, size_t max);

/* Whether any file speaks of objects of the framework (facts.h: binds). */
bool join_binds(struct join *, const struct framework *);

/* What is said for all of the framework under that name, the nearest first; how many. */
size_t join_globals(struct join *, const struct reading *from, const struct framework *,
    const char *name, struct join_mount *out, size_t max);

/* Who answers these, one function each, with a join that is not NULL. */
struct other_files {
	struct reading *(*read)(struct join *, struct file *);
	int (*name)(struct join *, struct reading *, TSNode at, const char *chain, const struct sym **,
	    struct file **);
	struct term (*constant)(struct join *, struct reading *, const char *name);
	bool (*lacks)(struct join *, struct reading *, const char *type, const char *method);
	struct file *(*module)(struct join *, struct reading *, const char *module);
	struct file *(*path)(struct join *, struct reading *, const char *path);
	size_t (*callers)(
	    struct join *, struct reading *, int definition, struct term *out, size_t max);
	const char *(*setting)(struct join *, const struct reading *, const char *key, bool here,
	    const char **path, uint32_t *line);
	bool (*base)(
	    struct join *, struct reading *, int type, size_t i, struct reading **in, int *base);
	size_t (*derived)(struct join *, struct reading *, int type, struct of_type *out, size_t max);
	int (*type)(struct join *, struct reading *, TSNode at, const char *chain, struct reading **in);
	size_t (*mounts)(struct join *, const struct identity *, const struct framework *,
	    struct join_mount *out, size_t max);
	size_t (*named)(struct join *, const char *name, const struct framework *,
	    struct join_mount *out, size_t max);
	bool (*binds)(struct join *, const struct framework *);
	size_t (*globals)(struct join *, const struct reading *from, const struct framework *,
	    const char *name, struct join_mount *out, size_t max);
};

/* What every struct join begins with. */
struct join_head {
	const struct other_files *ask;
};
#endif
