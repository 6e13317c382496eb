#ifndef SHARD_CONTRACTS_URLS_OTHER_FILES_H
#define SHARD_CONTRACTS_URLS_OTHER_FILES_H
/*
 * What the other files of the repository say, for an expression of one of them.  Whoever has all
 * files at hand fills the table (crossfile.h); those who follow expressions only ask.  Every
 * question may be put with a NULL join: then there are no other files, and the answer is nothing.
 */

#include "shard/contracts/urls/dataflow.h"

struct framework;
struct framework_object;

/* A file, read again; NULL: it cannot be read. */
struct contract_file *other_files_read(struct crossfile *, struct source_file *);

/* Where a name or chain of the reading leads: 1 with a definition, 2 with a module (file), 0. */
int other_files_resolve_name(struct crossfile *, struct contract_file *, TSNode at,
    const char *chain, const struct sym **sym, struct source_file **file);

/* What the one constant or field of that name in the repository is given, or a null node. */
struct expression other_files_constant(
    struct crossfile *, struct contract_file *, const char *name);

/* Whether the repository has types of that name, and none has such a method. */
bool other_files_lack_method(
    struct crossfile *, struct contract_file *, const char *type, const char *method);

/* The file that a module is, or NULL. */
struct source_file *other_files_module(
    struct crossfile *, struct contract_file *, const char *module);

/* The file of that path, from the folder of the reading, else by the end of its path; or NULL. */
struct source_file *other_files_by_path(
    struct crossfile *, struct contract_file *, const char *path);

/* Calls of a function from anywhere but tests: into `out`, `max` at most; how many. */
size_t other_files_callers(
    struct crossfile *, struct contract_file *, int definition, struct expression *out, size_t max);

/*
 * The value of a setting or environment variable (`here`: of a file that is for the reading's
 * module), or NULL; *line and *path say where.
 */
const char *other_files_setting(struct crossfile *, const struct contract_file *, const char *key,
    bool here, const char **path, uint32_t *line);

/*
 * The type that a type of the repository calls its i-th base, in `*in`, by index (-1: another
 * one's); false: it has no more.
 */
bool other_files_base_type(struct crossfile *, struct contract_file *, int type, size_t i,
    struct contract_file **in, int *base);

/* The types that are derived from one, directly: into `out`, `max` at most; how many. */
size_t other_files_derived_types(
    struct crossfile *, struct contract_file *, int type, struct type_ref *out, size_t max);

/* The type of an object, in `*in`, by index, or -1. */
int other_files_object_type(struct crossfile *, struct contract_file *, TSNode at,
    const char *chain, struct contract_file **in);

/* What a file says of an object of another. */
struct object_mount {
	struct contract_file *in;
	uint32_t at; /* byte of the spot */
};
size_t other_files_mounts(struct crossfile *, const struct framework_object *,
    const struct framework *, struct object_mount *out, size_t max);
size_t other_files_mounts_by_name(struct crossfile *, const char *name, const struct framework *,
    struct object_mount *out, size_t max);

/* Whether any file speaks of objects of the framework (facts.h: binds). */
bool other_files_use_framework(struct crossfile *, const struct framework *);

/* What is said for all of the framework under that name, the nearest first; how many. */
size_t other_files_globals(struct crossfile *, const struct contract_file *from,
    const struct framework *, const char *name, struct object_mount *out, size_t max);

/* Who answers these, one function each, with a join that is not NULL. */
struct other_files {
	struct contract_file *(*read)(struct crossfile *, struct source_file *);
	int (*name)(struct crossfile *, struct contract_file *, TSNode at, const char *chain,
	    const struct sym **, struct source_file **);
	struct expression (*constant)(struct crossfile *, struct contract_file *, const char *name);
	bool (*lacks)(struct crossfile *, struct contract_file *, const char *type, const char *method);
	struct source_file *(*module)(struct crossfile *, struct contract_file *, const char *module);
	struct source_file *(*path)(struct crossfile *, struct contract_file *, const char *path);
	size_t (*callers)(struct crossfile *, struct contract_file *, int definition,
	    struct expression *out, size_t max);
	const char *(*setting)(struct crossfile *, const struct contract_file *, const char *key,
	    bool here, const char **path, uint32_t *line);
	bool (*base)(struct crossfile *, struct contract_file *, int type, size_t i,
	    struct contract_file **in, int *base);
	size_t (*derived)(
	    struct crossfile *, struct contract_file *, int type, struct type_ref *out, size_t max);
	int (*type)(struct crossfile *, struct contract_file *, TSNode at, const char *chain,
	    struct contract_file **in);
	size_t (*mounts)(struct crossfile *, const struct framework_object *, const struct framework *,
	    struct object_mount *out, size_t max);
	size_t (*named)(struct crossfile *, const char *name, const struct framework *,
	    struct object_mount *out, size_t max);
	bool (*binds)(struct crossfile *, const struct framework *);
	size_t (*globals)(struct crossfile *, const struct contract_file *from,
	    const struct framework *, const char *name, struct object_mount *out, size_t max);
};

/* What every struct crossfile begins with. */
struct other_files_base {
	const struct other_files *ask;
};
#endif
