#ifndef SHARD_PROGRAM_NAME_RESOLUTION_H
#define SHARD_PROGRAM_NAME_RESOLUTION_H
/* What a name or an expression stands for, and how it is found: modules, scopes, types, members. */

#include "shard/program/resolver.h"

enum { MAX_CANDIDATES = 8 };

enum resolved_kind {
	RESOLVED_UNKNOWN,	/* unknown */
	RESOLVED_EXTERNAL,	/* known, but not of this repository */
	RESOLVED_SYMBOLS,	/* one of the definitions `v` itself */
	RESOLVED_INSTANCE,		/* an instance of one of the types `v` */
	RESOLVED_TYPE_TEXT,		/* an instance of the type `text`, as `definition` of `file` means it */
	RESOLVED_FILE,	/* the module that is `file` */
	RESOLVED_DIR,		/* the modules, or the package, of the folder `text` */
	RESOLVED_PACKAGE	/* names that begin with `text` */
};

enum {
	CONFIDENCE_SELF = 95, CONFIDENCE_IMPORT = 95, CONFIDENCE_FILE = 90, CONFIDENCE_LOCAL = 90,
	    CONFIDENCE_TYPE = 85, CONFIDENCE_INHERITED = 80,
	CONFIDENCE_PACKAGE = 80, CONFIDENCE_SUFFIX = 60,
	    CONFIDENCE_SHARED = 90 /* by several candidates */, CONFIDENCE_NAME = 30
};

struct resolved_value {
	enum resolved_kind what;
	size_t n;
	const struct sym *v[MAX_CANDIDATES];
	struct source_file *file;
	int definition;
	const char *text;
	bool is_super;			/* OBJECT: `super`, whose own members do not count */
	bool by_call;			/* TYPED: what a call of it gives: a method of a container outside */
	/* what the type parameters stand for that it speaks of; NULL: nobody said */
	const struct generic_instance *generics;
	int confidence;
	const char *reason;		/* schema.sql, table edges */
};

/*
 * An instance of a generic type, as somebody speaks of it: the arguments of `text`, as
 * `definition` of `file` means them.
 */
struct generic_instance {
	const struct sym *type;
	struct source_file *file;
	int definition;
	const char *text;		/* NULL: without arguments */
	const struct generic_instance *outer;	/* what its arguments speak of */
};

static inline struct resolved_value resolved_symbol(
    const struct sym *s, int confidence, const char *reason)
{
	return (struct resolved_value){ .what = s ? RESOLVED_SYMBOLS : RESOLVED_UNKNOWN,
		.n = s != NULL,
		.v = { s },
		.confidence = confidence,
		.reason = reason };
}

/* The lower confidence wins, with its reason. */
struct resolved_value resolved_limit_confidence(
    struct resolved_value, int confidence, const char *reason);

/*
 * Whether both are one type, of which each says a part: partial classes, a class and its
 * companion, one that is opened again.
 */
bool syms_are_one_type(const struct name_resolver *, const struct sym *, const struct sym *);
/* Another candidate: of one file only one stays, unless they are overloads. */
void resolved_add(struct name_resolver *, struct resolved_value *, const struct sym *);
/* All definitions of a qualified name in a file. */
void resolved_add_definitions(
    struct name_resolver *, struct resolved_value *, struct source_file *, const char *qualified);

/* `name` behind `before` and a dot; alone when that is NULL or empty. */
const char *name_with_prefix(struct arena *, const char *before, const char *name);

/* ---- module_lookup.c: which module a name means ---- */
struct resolved_value module_find(
    struct name_resolver *, struct source_file *from, const char *module, bool path);
/*
 * A file, or a folder with files, at an exact path (NULL: nowhere), as a file's language counts
 * them.
 */
struct resolved_value module_find_path(struct name_resolver *, struct source_file *from,
    const char *path, int confidence, const char *reason);

/* ---- module_members.c: what an import names ---- */
struct resolved_value module_member(
    struct name_resolver *, const struct resolved_value *module, const char *name);
struct resolved_value import_value(
    struct name_resolver *, struct source_file *, const struct import *);
/* The name that an import has in its file. */
const char *import_name(const struct import *, const struct dialect *, struct arena *);

/* ---- module_lookup_configured.c ---- */
/*
 * What the configurations around a file make of a module that is not relative
 * (module_aliases_read).
 */
struct resolved_value module_find_configured(
    struct name_resolver *, struct source_file *from, const char *module);

/* ---- scope_lookup.c: what a name means at a place ---- */
/*
 * A local of a definition by its name: the last at or before the line, else the first; NULL: none.
 */
const struct local *scope_find_local(
    struct name_resolver *, struct source_file *, int definition, const char *name, uint32_t line);
struct resolved_value scope_find_name(
    struct name_resolver *, struct source_file *, int definition, uint32_t line, const char *name);
/* A name that is defined, imported or re-exported at the top of a file, as others see it. */
struct resolved_value scope_find_export(
    struct name_resolver *, struct source_file *, const char *name);
/*
 * The object that `self` is within a definition; `super`: the type's bases are looked through
 * first.
 */
struct resolved_value scope_find_self(struct name_resolver *, struct source_file *, int definition);

/* ---- scope_lookup_shared.c: names that need no import ---- */
/*
 * A name of the folder, the package or the program of the file, or of what is around the
 * definition.
 */
struct resolved_value scope_find_shared(
    struct name_resolver *, struct source_file *, int definition, const char *name);
/* The package, whole or its beginning, that a name means: com in com.example.User. */
struct resolved_value scope_find_package(
    struct name_resolver *, struct source_file *, const char *name);
/* The definition of a full name, where names of types hold dots. */
struct resolved_value scope_find_full_name(
    struct name_resolver *, struct source_file *, const char *name);

/* ---- type_inference.c: what an expression stands for ---- */
struct resolved_value infer_expression(struct name_resolver *, struct source_file *, int definition,
    uint32_t line, const char *expression);
/* The definitions that the text of a type names, as SYMBOLS. */
struct resolved_value infer_named_type(
    struct name_resolver *, struct source_file *, int definition, const char *type);
struct resolved_value infer_member(
    struct name_resolver *, struct resolved_value of, const char *name);
/* What a variable, field or call's result is, as an object. */
struct resolved_value infer_instance(struct name_resolver *, struct resolved_value);

/* ---- generics.c: type parameters ---- */
/* The type argument at a place of `Map<String,List<User>>`; NULL: there is none. */
const char *generics_argument(struct arena *, const char *type, size_t which);
/*
 * Whether a definition, or one around it, has a type parameter of that name, and the type that it
 * is at least (NULL: any).
 */
bool generics_find_parameter(struct name_resolver *, struct source_file *, int definition,
    const char *name, const char **bound);
/* While a TYPED value is a type parameter: what it stands for, else its bound, else NOTHING. */
struct resolved_value generics_substitute(struct name_resolver *, struct resolved_value);
/* What members of a type speak of, when it is asked for them as `of`. */
const struct generic_instance *generics_instance_of(
    struct name_resolver *, const struct resolved_value *of, const struct sym *type);

/* ---- extension_methods.c: functions of objects whose types do not define them ---- */
/* The type of what an extension is called on, as it is written; NULL: it is none. */
const char *extensions_receiver(struct name_resolver *, const struct sym *);
/* Those that may be called on a value. */
struct resolved_value extensions_find(
    struct name_resolver *, struct resolved_value of, const char *name);

/* ---- inheritance.c: along bases ---- */
/*
 * A member of a type, its own or inherited.  OUTSIDE: a base is not of this repository, so it may
 * be there.
 */
struct resolved_value inherit_member(
    struct name_resolver *, const struct sym *type, const char *name);
/* The same without its own. */
struct resolved_value inherit_super(
    struct name_resolver *, const struct sym *type, const char *name);
/* The i-th base of a type, as SYMBOLS; false: there are no more. */
bool inherit_base(struct name_resolver *, const struct sym *type, size_t i,
    struct resolved_value *out, const struct base_type **base);
/* What a field holds by what the type's methods assign: self.x = value. */
struct resolved_value inherit_field_assignment(
    struct name_resolver *, const struct sym *type, const char *name);
/* The constructor of a type, or NOTHING: it has none of its own. */
struct resolved_value inherit_constructor(struct name_resolver *, const struct sym *type);
#endif
