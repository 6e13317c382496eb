#ifndef SHARD_PROGRAM_NAME_RESOLUTION_H
#define SHARD_PROGRAM_NAME_RESOLUTION_H
/* Resolves names and expressions through modules, scopes, types and members. */

#include "shard/program/resolver.h"

enum { MAX_CANDIDATES = 8 };

enum resolved_kind {
	RESOLVED_UNKNOWN,
	RESOLVED_EXTERNAL,	/* known to be outside of this repository */
	RESOLVED_SYMBOLS,	/* one of the definitions `v` */
	RESOLVED_INSTANCE,	/* an instance of one of the types `v` */
	RESOLVED_TYPE_TEXT,	/* an instance of the type `text`, as seen from `definition` of `file` */
	RESOLVED_FILE,		/* the module `file` */
	RESOLVED_DIR,		/* the modules, or the package, of the folder `text` */
	RESOLVED_PACKAGE	/* names that begin with `text` */
};

enum {
	CONFIDENCE_SELF = 95,
	CONFIDENCE_IMPORT = 95,
	CONFIDENCE_FILE = 90,
	CONFIDENCE_LOCAL = 90,
	CONFIDENCE_TYPE = 85,
	CONFIDENCE_INHERITED = 80,
	CONFIDENCE_PACKAGE = 80,
	CONFIDENCE_SUFFIX = 60,
	CONFIDENCE_SHARED = 90,		/* divided among several candidates */
	CONFIDENCE_NAME = 30
};

struct resolved_value {
	enum resolved_kind what;
	size_t n;
	const struct sym *v[MAX_CANDIDATES];
	struct source_file *file;
	int definition;
	const char *text;
	bool is_super;			/* RESOLVED_INSTANCE: `super`, whose own members do not count */
	/* the result of calling it: a method of a container outside, a function that loads a module */
	bool by_call;
	const struct generic_instance *generics;	/* binds type parameters; NULL if unknown */
	const struct sym *alias;	/* of types: the variable that the text names, and that holds them */
	int confidence;
	const char *reason;		/* schema.sql, table edges */
};

/* A generic type with the arguments of `text`, as seen from `definition` of `file`. */
struct generic_instance {
	const struct sym *type;
	struct source_file *file;
	int definition;
	const char *text;		/* NULL if it has no arguments */
	const struct generic_instance *outer;	/* binds the type parameters in its arguments */
};

static inline struct resolved_value resolved_unknown(void)
{
	return (struct resolved_value){ .what = RESOLVED_UNKNOWN };
}

static inline struct resolved_value resolved_external(void)
{
	return (struct resolved_value){ .what = RESOLVED_EXTERNAL };
}

/* The definition `s`; RESOLVED_UNKNOWN if it is NULL. */
static inline struct resolved_value resolved_symbol(
    const struct sym *s, int confidence, const char *reason)
{
	struct resolved_value v = { .confidence = confidence, .reason = reason };

	if (s) {
		v.what = RESOLVED_SYMBOLS;
		v.n = 1;
		v.v[0] = s;
	}
	return v;
}

/* The object itself: an instance of `type`, the type around. */
static inline struct resolved_value resolved_self(const struct sym *type)
{
	return (struct resolved_value){
		.what = RESOLVED_INSTANCE,
		.n = 1,
		.v = { type },
		.confidence = CONFIDENCE_SELF,
		.reason = "self",
	};
}

/* An instance of the type `text`, as seen from `definition` of the file. */
static inline struct resolved_value resolved_type_text(
    struct source_file *f, int definition, const char *text)
{
	return (struct resolved_value){
		.what = RESOLVED_TYPE_TEXT,
		.file = f,
		.definition = definition,
		.text = text,
		.confidence = CONFIDENCE_TYPE,
		.reason = "type",
	};
}

/* Whether it was found in this repository. */
static inline bool resolved_is_known(const struct resolved_value *v)
{
	return v->what != RESOLVED_UNKNOWN && v->what != RESOLVED_EXTERNAL;
}

/* Lower the confidence to the limit, and set its reason if the limit is lower. */
struct resolved_value resolved_limit_confidence(
    struct resolved_value, int confidence, const char *reason);

/*
 * Whether both declare parts of one type: partial classes, a class and its companion, a reopened
 * class.
 */
bool syms_are_one_type(const struct name_resolver *, const struct sym *, const struct sym *);
/* Add a candidate.  Only one of a file stays, unless they are overloads. */
void resolved_add(struct name_resolver *, struct resolved_value *, const struct sym *);
/* Add all definitions of a qualified name in a file. */
void resolved_add_definitions(
    struct name_resolver *, struct resolved_value *, struct source_file *, const char *qualified);

/* `name` after `before` and a dot; alone if `before` is NULL or empty. */
const char *name_with_prefix(struct arena *, const char *before, const char *name);

/* ---- module_lookup.c: which module a name means ---- */
struct resolved_value module_find(
    struct name_resolver *, struct source_file *from, const char *module, bool path);
/* Whether a manifest names a crate so, where packages are paths (Rust). */
bool module_is_crate(struct name_resolver *, const struct source_file *from, const char *name);
/*
 * The file, or the folder with files, at an exact path, by the rules of the language of `from`.
 * RESOLVED_UNKNOWN if `path` is NULL.
 */
struct resolved_value module_find_path(struct name_resolver *, struct source_file *from,
    const char *path, int confidence, const char *reason);

/* ---- module_members.c: what a module contains ---- */
struct resolved_value module_member(
    struct name_resolver *, const struct resolved_value *module, const char *name);
/* What a module that is a definition, `mod a { pub use … }`, re-exports under the name. */
struct resolved_value module_reexport(
    struct name_resolver *, const struct sym *module, const char *name);
struct resolved_value import_value(
    struct name_resolver *, struct source_file *, const struct import *);
/* The value that a module is, if its file exports one as a whole; else the module. */
struct resolved_value module_value(struct name_resolver *, struct resolved_value module);
/* The name that an import introduces in its file. */
const char *import_name(const struct import *, const struct dialect *, struct arena *);

/* ---- module_lookup_configured.c ---- */
/* A module that is not relative, by the configurations around a file (module_aliases_read). */
struct resolved_value module_find_configured(
    struct name_resolver *, struct source_file *from, const char *module);
/* The file that a manifest names for a path below its package (module_entries_read). */
struct resolved_value module_find_entry(struct name_resolver *, struct source_file *from,
    struct source_file *manifest, const char *rest);

/* ---- scope_lookup.c: what a name means at a place ---- */
/*
 * A local of a definition by its name: the last one at or before the line, else the first one;
 * NULL if there is none.
 */
const struct local *scope_find_local(
    struct name_resolver *, struct source_file *, int definition, const char *name, uint32_t line);
struct resolved_value scope_find_name(
    struct name_resolver *, struct source_file *, int definition, uint32_t line, const char *name);
/* A name at the top of a file as other files see it: defined, imported or re-exported. */
struct resolved_value scope_find_export(
    struct name_resolver *, struct source_file *, const char *name);
/*
 * What a file is to its importers, where that is one value: module.exports = f.  RESOLVED_UNKNOWN
 * if it is not.
 */
struct resolved_value scope_find_whole_export(struct name_resolver *, struct source_file *);
/* The object that `self` means inside a definition. */
struct resolved_value scope_find_self(struct name_resolver *, struct source_file *, int definition);

enum { MAX_IMPORT_FILES = 8 };

struct import_files {
	struct source_file *v[MAX_IMPORT_FILES];
	size_t n;
};

/* The file, and those whose imports count in it as well (C#'s global using). */
struct import_files scope_import_files(struct name_resolver *, struct source_file *);

/* A name that an import at the top of a file introduces. */
struct resolved_value scope_find_imported_name(
    struct name_resolver *, struct source_file *, const char *name);

/* ---- scope_lookup_shared.c: names that need no import ---- */
/*
 * A name of the folder, the package or the program of the file, or of the modules and types around
 * the definition.
 */
struct resolved_value scope_find_shared(
    struct name_resolver *, struct source_file *, int definition, const char *name);
/* The package, or the beginning of one, that a name means: com in com.example.User. */
struct resolved_value scope_find_package(
    struct name_resolver *, struct source_file *, const char *name);
/* The definition of a full name, in languages whose type names contain dots. */
struct resolved_value scope_find_full_name(
    struct name_resolver *, struct source_file *, const char *name);

/* ---- type_inference.c: the value of an expression ---- */
struct resolved_value infer_expression(struct name_resolver *, struct source_file *, int definition,
    uint32_t line, const char *expression);
/* The definitions that the text of a type names, as RESOLVED_SYMBOLS. */
struct resolved_value infer_named_type(
    struct name_resolver *, struct source_file *, int definition, const char *type);
struct resolved_value infer_member(
    struct name_resolver *, struct resolved_value of, const char *name);
/* The object that a variable, a field or the result of a call is. */
struct resolved_value infer_instance(struct name_resolver *, struct resolved_value);

/* ---- generics.c: type parameters ---- */
/* A type argument of `Map<String,List<User>>` by its index; NULL if there is none. */
const char *generics_argument(struct arena *, const char *type, size_t which);
/*
 * Whether a definition, or one around it, has a type parameter of that name; `*bound` is its bound,
 * or NULL.
 */
bool generics_find_parameter(struct name_resolver *, struct source_file *, int definition,
    const char *name, const char **bound);
/*
 * Replace a RESOLVED_TYPE_TEXT that is a type parameter by its argument, else by its bound, until
 * it is not a type parameter.  RESOLVED_UNKNOWN if a type parameter has neither.
 */
struct resolved_value generics_substitute(struct name_resolver *, struct resolved_value);
/* The binding of the type parameters of `type` for its members, if it was reached through `of`. */
const struct generic_instance *generics_instance_of(
    struct name_resolver *, const struct resolved_value *of, const struct sym *type);

/* ---- extension_methods.c: methods that are defined outside of their types ---- */
/* The type that an extension extends, as written; NULL if it is not an extension. */
const char *extensions_receiver(struct name_resolver *, const struct sym *);
/* The extensions of that name that may be called on a value. */
struct resolved_value extensions_find(
    struct name_resolver *, struct resolved_value of, const char *name);

/* The extension that the file imports by this name, for an object of unknown type. */
struct resolved_value extensions_find_imported(struct name_resolver *, const char *name);
/*
 * The method that an imported trait gives objects of types outside of this repository (Rust); `of`
 * is the object, which is in `definition`.
 */
struct resolved_value extensions_find_trait_method(
    struct name_resolver *, struct resolved_value of, int definition, const char *name);

/* ---- inheritance.c: along bases ---- */
/*
 * A member of a type, its own or inherited.  RESOLVED_EXTERNAL if it was not found but a base is
 * outside of this repository, where it may be.
 */
struct resolved_value inherit_member(
    struct name_resolver *, const struct sym *type, const char *name);
/* The same without the type's own members. */
struct resolved_value inherit_super(
    struct name_resolver *, const struct sym *type, const char *name);
/* Base `i` of a type, as RESOLVED_SYMBOLS; false if there are no more. */
bool inherit_base(struct name_resolver *, const struct sym *type, size_t i,
    struct resolved_value *out, const struct base_type **base);
/* The value of a field, by the assignments in the type's methods: self.x = value. */
struct resolved_value inherit_field_assignment(
    struct name_resolver *, const struct sym *type, const char *name);
/* The constructor of a type; RESOLVED_UNKNOWN if it does not define one. */
struct resolved_value inherit_constructor(struct name_resolver *, const struct sym *type);
#endif
