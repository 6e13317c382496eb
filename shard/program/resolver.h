#ifndef SHARD_PROGRAM_RESOLVER_H
#define SHARD_PROGRAM_RESOLVER_H
/*
 * Resolving one file: every question about others goes through here and leaves its key, also when the answer is "nothing",
 * so that the file is resolved again when the answer can change.  One thread each.
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

struct look {
	struct world *w;
	struct arena *a;
	struct file *file;		/* that is resolved */
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
	struct included {		/* what files take in, as far as it was asked */
		const struct file *of;
		struct file **v;
		size_t n;
		struct included *next;
	} *included;
	const char *wanted;		/* how the file calls what it imports as default; NULL: not asked for */
	int depth;			/* of expressions within expressions */
	int steps;			/* left for what is looked for now: nothing takes for ever */
	bool cut;			/* one of these two was at its limit */
};

void look_begin(struct look *, struct file *, const struct facts *);
void look_fini(struct look *);

/* Note a key that is looked up otherwise. */
void look_note(struct look *, uint32_t key);

/* Whether as many levels are open. */
static inline bool look_deep(struct look *l, int most)
{
	bool deep = l->depth >= most;

	l->cut |= deep;
	return deep;
}

/* Take a step; true: there is none left. */
static inline bool look_spent(struct look *l)
{
	bool spent = --l->steps < 0;

	l->cut |= spent;
	return spent;
}

/* Files by key p, s, d and k; those of other families are among them. */
const struct file_list *look_path(struct look *, const char *path);
const struct file_list *look_stem(struct look *, const char *stem);
const struct file_list *look_dir(struct look *, const char *dir);
const struct file_list *look_package(struct look *, const char *package);

/* The definitions of that qualified name in a file (key m): the first or NULL; of all the indices in the file's unit. */
const struct sym *look_member(struct look *, struct file *, const char *qualified);
const uint32_t *look_members(struct look *, struct file *, const char *qualified, size_t *n);

/* Imports and locals (key i), bases and members of one type (key t).  Of the file that is resolved they need no key. */
const struct unit *look_inside(struct look *, struct file *);
const struct unit *look_bases(struct look *, struct file *, const char *type);
const struct unit *look_exports(struct look *, struct file *);	/* key x */

/*
 * Definitions anywhere that have the same dialect's family, at most `most` into `out`: by qualified name in a folder (u), by
 * full name (q), by plain name (n).  Returns how many there are, or most + 1 when there are more.
 */
size_t look_folder(struct look *, const char *dir, const char *qualified, const struct sym **out, size_t most);
size_t look_full(struct look *, const char *full, const struct sym **out, size_t most);
size_t look_named(struct look *, const char *name, const struct sym **out, size_t most);

static inline struct file *file_of(const struct look *l, const struct sym *s)
{
	return &l->w->files[s->file];
}

/* The same by plain name, of methods of interfaces only. */
size_t look_interfaces(struct look *, const char *name, const struct sym **out, size_t most);

/* Services of .proto files by that name (key n). */
size_t look_services(struct look *, const char *name, const struct sym **out, size_t most);
size_t look_rpcs(struct look *, const char *name, const struct sym **out, size_t most);	/* methods of theirs */

/* Note that the members of a type, in all files of a folder, are asked for (key o). */
void look_methods(struct look *, const char *dir, const char *type);

/* The definition that contains `s`, or NULL. */
const struct sym *parent_of(struct look *, const struct sym *s);
#endif
