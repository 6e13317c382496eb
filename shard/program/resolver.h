#ifndef SHARD_PROGRAM_RESOLVER_H
#define SHARD_PROGRAM_RESOLVER_H
/*
 * Resolving one file: every question about others goes through here and leaves its key, also when
 * the answer is "nothing", so that the file is resolved again when the answer can change.  One
 * thread each.
 *
 * Keys, offered by files (file_interface.c) and asked for here:
 *   p:PATH        a path, with and without extension; the folder of an index file
 *   s:STEM        files of that name, folders with an index file
 *   d:DIR         the files of a folder
 *   k:PACKAGE     the files of a package, or below it
 *   i:PATH        imports of a file, and the locals on which its types depend
 *   t:PATH#TYPE   bases of a type, and what its members are
 *   o:DIR#TYPE    what its members in a folder are
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
	struct source_file *file;		/* that is resolved */
	const struct facts *facts;	/* of it */
	const struct local **locals;	/* its, in order of (definition, name, line) */
	const struct local **assigned;	/* those that are what methods give to fields, as they come */
	size_t nassigned;
	struct {
		uint32_t *v;		/* open addressing; 0 is free */
		size_t n, size;
	} keys;
	struct {
		struct memo **v;	/* resolver_cache.h */
		size_t n, size;
	} memos;
	struct include_list {		/* what files take in, as far as it was asked */
		const struct source_file *of;
		struct source_file **v;
		size_t n;
		struct include_list *next;
	} *included;
	/* how the file calls what it imports as default; NULL: not asked for */
	const char *default_name;
	int depth;			/* of expressions within expressions */
	int steps;			/* left for what is looked for now: nothing takes for ever */
	bool limit_reached;			/* one of these two was at its limit */
};

void resolver_begin(struct name_resolver *, struct source_file *, const struct facts *);
void resolver_release(struct name_resolver *);

/* Note a key that is looked up otherwise. */
void resolver_record_key(struct name_resolver *, uint32_t key);

/* Whether as many levels are open. */
static inline bool resolver_too_deep(struct name_resolver *l, int most)
{
	bool deep = l->depth >= most;

	l->limit_reached |= deep;
	return deep;
}

/* Take a step; true: there is none left. */
static inline bool resolver_out_of_steps(struct name_resolver *l)
{
	bool spent = --l->steps < 0;

	l->limit_reached |= spent;
	return spent;
}

/* Files by key p, s, d and k; those of other families are among them. */
const struct file_list *resolver_files_by_path(struct name_resolver *, const char *path);
const struct file_list *resolver_files_by_stem(struct name_resolver *, const char *stem);
const struct file_list *resolver_files_in_dir(struct name_resolver *, const char *dir);
const struct file_list *resolver_files_in_package(struct name_resolver *, const char *package);

/*
 * The definitions of that qualified name in a file (key m): the first or NULL; of all the indices
 * in the file's unit.
 */
const struct sym *resolver_find_definition(
    struct name_resolver *, struct source_file *, const char *qualified);
const uint32_t *resolver_find_definitions(
    struct name_resolver *, struct source_file *, const char *qualified, size_t *n);

/*
 * Imports and locals (key i), bases and members of one type (key t).  Of the file that is resolved
 * they need no key.
 */
const struct file_symbols *resolver_file_scope(struct name_resolver *, struct source_file *);
const struct file_symbols *resolver_type_bases(
    struct name_resolver *, struct source_file *, const char *type);
/* key x */
const struct file_symbols *resolver_file_exports(struct name_resolver *, struct source_file *);

/*
 * Definitions anywhere that have the same dialect's family, at most `most` into `out`: by
 * qualified name in a folder (u), by full name (q), by plain name (n).  Returns how many there
 * are, or most + 1 when there are more.
 */
size_t resolver_find_in_dir(struct name_resolver *, const char *dir, const char *qualified,
    const struct sym **out, size_t most);
size_t resolver_find_full_name(
    struct name_resolver *, const char *full, const struct sym **out, size_t most);
size_t resolver_find_by_name(
    struct name_resolver *, const char *name, const struct sym **out, size_t most);

static inline struct source_file *sym_file(const struct name_resolver *l, const struct sym *s)
{
	return &l->w->files[s->file];
}

/* The same by plain name, of methods of interfaces only. */
size_t resolver_find_iface_methods(
    struct name_resolver *, const char *name, const struct sym **out, size_t most);

/* Services of .proto files by that name (key n). */
size_t resolver_find_services(
    struct name_resolver *, const char *name, const struct sym **out, size_t most);
/* methods of theirs */
size_t resolver_find_rpc_methods(
    struct name_resolver *, const char *name, const struct sym **out, size_t most);

/* Note that the members of a type, in all files of a folder, are asked for (key o). */
void resolver_record_type_members(struct name_resolver *, const char *dir, const char *type);

/* The definition that contains `s`, or NULL. */
const struct sym *sym_parent(struct name_resolver *, const struct sym *s);
#endif
