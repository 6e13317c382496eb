#ifndef SHARD_PROGRAM_RESOLVER_H
#define SHARD_PROGRAM_RESOLVER_H
/*
 * Resolves one file.  Every lookup in other files goes through here and records its key, even if
 * it finds nothing, so that the file is resolved again if the result can change.  Each resolver
 * belongs to one thread.
 *
 * Keys, offered by files (file_interface.c) and looked up here:
 *   p:PATH        a path, with and without extension; the folder of an index file
 *   s:STEM        files of that name, folders with an index file
 *   d:DIR         the files of a folder
 *   k:PACKAGE     the files of a package, or below it
 *   i:PATH        imports of a file, and the locals that its types depend on
 *   t:PATH#TYPE   bases and members of a type
 *   o:DIR#TYPE    its members in a folder
 *   x:PATH        functions and types that a file exports
 *   m:PATH#NAME   definitions of a qualified name in a file
 *   u:DIR#NAME    in a folder
 *   q:NAME        with its package before it, anywhere
 *   n:NAME        of a plain name, anywhere
 */

#include "shard/program/dependency_key.h"
#include "shard/program/program.h"

struct name_resolver {
	struct program *w;
	struct arena *a;
	struct source_file *file;	/* the file that is resolved */
	const struct facts *facts;	/* its facts */
	const struct local **locals;	/* its locals, in order of (definition, name, line) */
	const struct local **assigned;	/* those that are fields, in order of the facts */
	size_t nassigned;
	struct {
		uint32_t *v;		/* open addressing; 0 is free */
		size_t n, size;
	} keys;
	struct {
		struct memo **v;	/* resolver_cache.h */
		size_t n, size;
	} memos;
	struct include_list {		/* cache: what files include */
		const struct source_file *of;
		struct source_file **v;
		size_t n;
		struct include_list *next;
	} *included;
	const char *default_name;	/* the name of the default import that is resolved, or NULL */
	int depth;			/* of nested expressions */
	int steps;			/* left for the current lookup, which bounds its time */
	bool limit_reached;		/* one of these two was at its limit */
};

void resolver_begin(struct name_resolver *, struct source_file *, const struct facts *);
void resolver_release(struct name_resolver *);

/* Record a key that is looked up by other means. */
void resolver_record_key(struct name_resolver *, uint32_t key);

/* Whether the depth has reached `max`. */
static inline bool resolver_too_deep(struct name_resolver *l, int max)
{
	bool deep = l->depth >= max;

	l->limit_reached |= deep;
	return deep;
}

/* Take a step; true if there was none left. */
static inline bool resolver_out_of_steps(struct name_resolver *l)
{
	bool out = --l->steps < 0;

	l->limit_reached |= out;
	return out;
}

/* Files by key p, s, d and k, including those of other families. */
const struct file_list *resolver_files_by_path(struct name_resolver *, const char *path);
const struct file_list *resolver_files_by_stem(struct name_resolver *, const char *stem);
const struct file_list *resolver_files_in_dir(struct name_resolver *, const char *dir);
const struct file_list *resolver_files_in_package(struct name_resolver *, const char *package);

/*
 * The definitions of that qualified name in a file (key m): the first or NULL; the indices of all
 * in the file's symbols.
 */
const struct sym *resolver_find_definition(
    struct name_resolver *, struct source_file *, const char *qualified);
const uint32_t *resolver_find_definitions(
    struct name_resolver *, struct source_file *, const char *qualified, size_t *n);

/*
 * Imports and locals (key i), bases and members of one type (key t).  The file that is resolved
 * itself needs no key.
 */
const struct file_symbols *resolver_file_scope(struct name_resolver *, struct source_file *);
const struct file_symbols *resolver_type_bases(
    struct name_resolver *, struct source_file *, const char *type);
/* key x */
const struct file_symbols *resolver_file_exports(struct name_resolver *, struct source_file *);

/*
 * Definitions of the file's family of dialects: by qualified name in a folder (key u), by full name
 * (q), by plain name (n; never those of other repositories).  Stores at most `max` in `out`; returns how many there are, or max + 1
 * if there are more.
 */
size_t resolver_find_in_dir(struct name_resolver *, const char *dir, const char *qualified,
    const struct sym **out, size_t max);
size_t resolver_find_full_name(
    struct name_resolver *, const char *full, const struct sym **out, size_t max);
size_t resolver_find_by_name(
    struct name_resolver *, const char *name, const struct sym **out, size_t max);

/*
 * Of definitions of one full name keep those of the repository `origin`, if it has any: a copy of a
 * library hides the library.  Where types are open to other repositories (Ruby), all stay.  Returns
 * how many are left.
 */
size_t resolver_keep_own(const struct name_resolver *, int origin, const struct sym **v, size_t n);

static inline struct source_file *sym_file(const struct name_resolver *l, const struct sym *s)
{
	return &l->w->files[s->file];
}

/* The same by plain name, only methods of interfaces. */
size_t resolver_find_iface_methods(
    struct name_resolver *, const char *name, const struct sym **out, size_t max);

/* The same of other repositories alone. */
size_t resolver_find_external(
    struct name_resolver *, const char *name, const struct sym **out, size_t max);

/* The same, only methods of traits, also of other repositories. */
size_t resolver_find_trait_methods(
    struct name_resolver *, const char *name, const struct sym **out, size_t max);

/* Services of .proto files, and their methods, by plain name (key n). */
size_t resolver_find_services(
    struct name_resolver *, const char *name, const struct sym **out, size_t max);
size_t resolver_find_rpc_methods(
    struct name_resolver *, const char *name, const struct sym **out, size_t max);

/* Record that the members of a type in all files of a folder were looked up (key o). */
void resolver_record_type_members(struct name_resolver *, const char *dir, const char *type);

/* The definition that contains `s`, or NULL. */
const struct sym *sym_parent(struct name_resolver *, const struct sym *s);
#endif
