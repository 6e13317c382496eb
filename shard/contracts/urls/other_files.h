#ifndef SHARD_CONTRACTS_URLS_OTHER_FILES_H
#define SHARD_CONTRACTS_URLS_OTHER_FILES_H
/*
 * What the other files of the repository tell about an expression of one file.  crossfile.h fills
 * the table of functions; the code that follows expressions only calls them.  Each function accepts
 * a NULL crossfile: then there are no other files, and the result is nothing.
 */

#include "shard/contracts/urls/dataflow.h"

struct framework;
struct framework_object;

/* For what need not live longer than the search for one file's facts. */
struct arena *other_files_arena(struct crossfile *, const struct contract_file *);

/*
 * Count one more step of following a value for the file whose facts are found; false: as many were
 * taken as one file may take, all its values together.
 */
bool other_files_step(struct crossfile *);

/* A file, read again; NULL: it cannot be read. */
struct contract_file *other_files_read(struct crossfile *, struct source_file *);

/* What a name or chain of the file means: 1 a definition, 2 a module (file), 0 unknown. */
int other_files_resolve_name(struct crossfile *, struct contract_file *, TSNode at,
    const char *chain, const struct sym **sym, struct source_file **file);

/* The value of the only constant or field of that name in the repository, or a null node. */
struct expression other_files_constant(
    struct crossfile *, struct contract_file *, const char *name);

/* Whether the repository has types of that name, and none has such a method. */
bool other_files_lack_method(
    struct crossfile *, struct contract_file *, const char *type, const char *method);

/* The file of a module, or NULL. */
struct source_file *other_files_module(
    struct crossfile *, struct contract_file *, const char *module);

/* The file with that path, relative to the file's folder, else by the end of its path; or NULL. */
struct source_file *other_files_by_path(
    struct crossfile *, struct contract_file *, const char *path);

/* Calls of a function from anywhere but tests and examples: into `out`, `max` at most; how many. */
size_t other_files_callers(
    struct crossfile *, struct contract_file *, int definition, struct expression *out, size_t max);

/* The same of a function without a name that another function returns, itself or in an object. */
size_t other_files_anonymous_callers(struct crossfile *, struct contract_file *, TSNode function,
    struct expression *out, size_t max);

/*
 * The value of a setting or environment variable, or NULL; `here`: only of files for the file's own
 * module.  *path and *line: where it is set.
 */
const char *other_files_setting(struct crossfile *, const struct contract_file *, const char *key,
    bool here, const char **path, uint32_t *line);

/*
 * The i-th base of a type, in `*in`, by index; -1: it is not of this repository.  False: the type
 * has no more bases.
 */
bool other_files_base_type(struct crossfile *, struct contract_file *, int type, size_t i,
    struct contract_file **in, int *base);

/* The types that are derived from one, directly: into `out`, `max` at most; how many. */
size_t other_files_derived_types(
    struct crossfile *, struct contract_file *, int type, struct type_ref *out, size_t max);

/* The type of an object, in `*in`, by index, or -1. */
int other_files_object_type(struct crossfile *, struct contract_file *, TSNode at,
    const char *chain, struct contract_file **in);

/* A mount or change of an object of another file. */
struct object_mount {
	struct contract_file *in;
	uint32_t at; /* the byte of the match */
};
size_t other_files_mounts(struct crossfile *, const struct framework_object *,
    const struct framework *, struct object_mount *out, size_t max);
size_t other_files_mounts_by_name(struct crossfile *, const char *name, const struct framework *,
    struct object_mount *out, size_t max);

/* Whether any file binds objects of the framework (facts.h: binds); `what`: "", or TYPES_NAME. */
bool other_files_use_framework(struct crossfile *, const struct framework *, const char *what);

/* The global matches of the framework under that name, the nearest first; how many. */
size_t other_files_globals(struct crossfile *, const struct contract_file *from,
    const struct framework *, const char *name, struct object_mount *out, size_t max);

/* The implementation of the functions above; the crossfile is not NULL. */
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
	size_t (*anonymous)(struct crossfile *, struct contract_file *, TSNode function,
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
	bool (*binds)(struct crossfile *, const struct framework *, const char *what);
	size_t (*globals)(struct crossfile *, const struct contract_file *from,
	    const struct framework *, const char *name, struct object_mount *out, size_t max);
};

/* The first member of struct crossfile. */
struct other_files_base {
	const struct other_files *ask;
	struct arena *a;	/* for what is needed only while one file's facts are found */
	int steps; /* how many more values may be followed for that file */
};
#endif
