#ifndef SHARD_PROGRAM_NAME_RESOLUTION_H
#define SHARD_PROGRAM_NAME_RESOLUTION_H
/* What a name or an expression stands for, and how it is found: modules, scopes, types, members. */

#include "shard/program/resolver.h"

enum { MOST_CANDIDATES = 8 };

enum what {
	NOTHING,	/* unknown */
	OUTSIDE,	/* known, but not of this repository */
	SYMBOLS,	/* one of the definitions `v` itself */
	OBJECT,		/* an instance of one of the types `v` */
	TYPED,		/* an instance of the type `text`, as `definition` of `file` means it */
	IN_FILE,	/* the module that is `file` */
	IN_DIR,		/* the modules, or the package, of the folder `text` */
	IN_PACKAGE	/* names that begin with `text` */
};

enum {
	SURE_SELF = 95, SURE_IMPORT = 95, SURE_FILE = 90, SURE_LOCAL = 90, SURE_TYPE = 85, SURE_INHERITED = 80,
	SURE_PACKAGE = 80, SURE_SUFFIX = 60, SURE_SHARED = 90 /* by several candidates */, SURE_NAME = 30
};

struct value {
	enum what what;
	size_t n;
	const struct sym *v[MOST_CANDIDATES];
	struct file *file;
	int definition;
	const char *text;
	bool above;			/* OBJECT: `super`, whose own members do not count */
	bool by_call;			/* TYPED: what a call of it gives: a method of a container outside */
	const struct generics *generics;	/* what the type parameters stand for that it speaks of; NULL: nobody said */
	int confidence;
	const char *reason;		/* schema.sql, table edges */
};

/* An instance of a generic type, as somebody speaks of it: the arguments of `text`, as `definition` of `file` means them. */
struct generics {
	const struct sym *type;
	struct file *file;
	int definition;
	const char *text;		/* NULL: without arguments */
	const struct generics *outer;	/* what its arguments speak of */
};

static inline struct value value_of(const struct sym *s, int confidence, const char *reason)
{
	return (struct value){ .what = s ? SYMBOLS : NOTHING, .n = s != NULL, .v = { s }, .confidence = confidence,
		.reason = reason };
}

/* The lower confidence wins, with its reason. */
struct value value_weaker(struct value, int confidence, const char *reason);

/* Whether both are one type, of which each says a part: partial classes, a class and its companion, one that is opened again. */
bool value_part(const struct look *, const struct sym *, const struct sym *);
/* Another candidate: of one file only one stays, unless they are overloads. */
void value_add(struct look *, struct value *, const struct sym *);
/* All definitions of a qualified name in a file. */
void value_collect(struct look *, struct value *, struct file *, const char *qualified);

/* `name` behind `before` and a dot; alone when that is NULL or empty. */
const char *value_dotted(struct arena *, const char *before, const char *name);

/* ---- module_lookup.c: which module a name means ---- */
struct value module_find(struct look *, struct file *from, const char *module, bool path);
/* A file, or a folder with files, at an exact path (NULL: nowhere), as a file's language counts them. */
struct value module_at(struct look *, struct file *from, const char *path, int confidence, const char *reason);

/* ---- module_members.c: what an import names ---- */
struct value module_member(struct look *, const struct value *module, const char *name);
struct value import_value(struct look *, struct file *, const struct import *);
/* The name that an import has in its file. */
const char *import_name(const struct import *, const struct dialect *, struct arena *);

/* ---- module_lookup_configured.c ---- */
/* What the configurations around a file make of a module that is not relative (manifest_aliases). */
struct value module_configured(struct look *, struct file *from, const char *module);

/* ---- scope_lookup.c: what a name means at a place ---- */
/* A local of a definition by its name: the last at or before the line, else the first; NULL: none. */
const struct local *visible_local(struct look *, struct file *, int definition, const char *name, uint32_t line);
struct value visible_find(struct look *, struct file *, int definition, uint32_t line, const char *name);
/* A name that is defined, imported or re-exported at the top of a file, as others see it. */
struct value visible_export(struct look *, struct file *, const char *name);
/* The object that `self` is within a definition; `super`: the type's bases are looked through first. */
struct value visible_self(struct look *, struct file *, int definition);

/* ---- scope_lookup_shared.c: names that need no import ---- */
/* A name of the folder, the package or the program of the file, or of what is around the definition. */
struct value visible_shared(struct look *, struct file *, int definition, const char *name);
/* The package, whole or its beginning, that a name means: com in com.example.User. */
struct value visible_package(struct look *, struct file *, const char *name);
/* The definition of a full name, where names of types hold dots. */
struct value visible_full(struct look *, struct file *, const char *name);

/* ---- type_inference.c: what an expression stands for ---- */
struct value typing_expression(struct look *, struct file *, int definition, uint32_t line, const char *expression);
/* The definitions that the text of a type names, as SYMBOLS. */
struct value typing_type(struct look *, struct file *, int definition, const char *type);
struct value typing_member(struct look *, struct value of, const char *name);
/* What a variable, field or call's result is, as an object. */
struct value typing_object(struct look *, struct value);

/* ---- generics.c: type parameters ---- */
/* The type argument at a place of `Map<String,List<User>>`; NULL: there is none. */
const char *generics_argument(struct arena *, const char *type, size_t which);
/* Whether a definition, or one around it, has a type parameter of that name, and the type that it is at least (NULL: any). */
bool generics_name(struct look *, struct file *, int definition, const char *name, const char **bound);
/* While a TYPED value is a type parameter: what it stands for, else its bound, else NOTHING. */
struct value generics_settle(struct look *, struct value);
/* What members of a type speak of, when it is asked for them as `of`. */
const struct generics *generics_of(struct look *, const struct value *of, const struct sym *type);

/* ---- extension_methods.c: functions of objects whose types do not define them ---- */
/* The type of what an extension is called on, as it is written; NULL: it is none. */
const char *extensions_receiver(struct look *, const struct sym *);
/* Those that may be called on a value. */
struct value extensions_find(struct look *, struct value of, const char *name);

/* ---- inheritance.c: along bases ---- */
/* A member of a type, its own or inherited.  OUTSIDE: a base is not of this repository, so it may be there. */
struct value inherit_member(struct look *, const struct sym *type, const char *name);
/* The same without its own. */
struct value inherit_super(struct look *, const struct sym *type, const char *name);
/* The i-th base of a type, as SYMBOLS; false: there are no more. */
bool inherit_base(struct look *, const struct sym *type, size_t i, struct value *out, const struct base **base);
/* What a field holds by what the type's methods assign: self.x = value. */
struct value inherit_assigned(struct look *, const struct sym *type, const char *name);
/* The constructor of a type, or NOTHING: it has none of its own. */
struct value inherit_constructor(struct look *, const struct sym *type);
#endif
