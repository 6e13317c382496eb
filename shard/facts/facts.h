#ifndef SHARD_FACTS_FACTS_H
#define SHARD_FACTS_FACTS_H
/*
 * The facts of one blob.  They depend only on its bytes, its language and the extractor version,
 * never on a path.  All memory belongs to the arena that the parser received.  `resolve` combines
 * the facts of many blobs.
 *
 * Expressions and types are normalised text without white space.
 *   expression   primary ( "." name | "()" | "[]" )*
 *                Examples: self.repo.find()   users[].name   pkg.New()
 *                A primary is a name; `self` for this/self/$this/@; `super` for super/base/parent;
 *                read.{} for what `read` calls the literal on that it is given;
 *                Type! for an instance of a type: `new Type(…)`, `Type{…}` and the like.
 *                NULL for anything else (literals, operators, lambdas).  Parentheses, await, casts
 *                of values, `?`, `!`, `&` and `*` are dropped; `::`, `->`, `?.` and `\` become `.`
 *   type         a dotted name with type arguments in <>
 *                Examples: User   models.User   List<User>   Map<String,User>
 *                Pointers, references, nullability, const and arrays of dropped kinds are left out;
 *                T[] is []<T>
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

/*
 * Increment it whenever the same bytes would yield other facts.  It is part of every cache key and
 * of the schema check.
 */
enum { EXTRACTOR_VERSION = 29 };

struct definition {
	const char *name;	/* as declared */
	const char *qualified;	/* with its parents, joined by '.' */
	const char *kind;	/* a name of proto/record/kinds.def */
	const char *signature;	/* on one line, without body; NULL if it is not callable */
	const char *doc;	/* without comment marks; NULL if there is none */
	/*
	 * the return type of a callable; the declared type of a field or variable; the target of an
	 * alias; NULL if unknown
	 */
	const char *type;
	/*
	 * the expression that a field, variable or constant is set to, or that a callable without
	 * `type` returns; NULL if there is none
	 */
	const char *value;
	uint32_t start_line, end_line;	/* 1-based, inclusive; without the doc comment */
	uint32_t start_byte, end_byte;
	int parent;		/* index of the definition that contains it, or -1 */
	bool exported, test;
};

/*
 * A name that a lookup finds, and the graph does not know: a variable of a function, a key of an
 * object, a name that an import binds.  A file has each of them once, at its first place, and none
 * that is also the name of a definition.
 */
struct minor_name {
	const char *name;
	const char *kind;	/* as in struct definition */
	uint32_t start_line, end_line, start_byte, end_byte;
};

/* A search document: a definition without the text of its members, or text outside definitions. */
struct document {
	int definition;		/* index, or -1 for text outside definitions */
	const char *body;	/* source text, not necessarily valid UTF-8 */
	size_t nbody;
	uint32_t start_line, end_line;
};

/* A name that the file imports; a statement has one import for each name. */
struct import {
	/*
	 * as written, without quotes: ./users  ..models  net/http  stdio.h  crate.db.users  java.util
	 */
	const char *module;
	const char *name;	/* the imported name; NULL: the module itself; "*": all its names */
	const char *alias;	/* the name in this file; NULL: unchanged (a module: its last part) */
	int definition;		/* the definition in which the import is valid; -1: the whole file */
	uint32_t line;
	bool again;		/* re-exported to importers of this file: export … from, pub use */
	bool include;		/* the text itself is included: #include, require, source */
};

enum reference_kind {
	REF_CALL,		/* f(), a.f() */
	REF_NEW,		/* new T(), T{} : `name` is the type */
	REF_TYPE,		/* a type in a declaration, cast, annotation or decorator */
	/*
	 * a name or member that is read or written and may be a definition: f passed as an argument,
	 * T.CONST, a.field
	 */
	REF_VALUE,
	REF_KINDS
};

/* A use of something that is defined elsewhere. */
struct reference {
	const char *name;	/* the last name: `find` in self.repo.find(x) */
	/* the expression before it: self.repo; NULL if there is none; "?" if it has no normal form */
	const char *receiver;
	enum reference_kind kind;
	int definition;		/* the innermost definition around it; -1: the file */
	int arguments;		/* number of arguments; -1: unknown or not a call */
	uint32_t line;
};

/* A type from which another type is derived. */
struct base_type {
	const char *type;	/* the base */
	/*
	 * name of the derived type if it is not defined in this file (impl T for S), and then
	 * definition is -1; else NULL
	 */
	const char *owner;
	int definition;		/* the derived type */
	uint32_t line;
	/* EITHER: it depends on the kind of the base */
	enum { BASE_EXTENDS, BASE_IMPLEMENTS, BASE_EITHER } relation;
};

#define BLOCK_LOCAL "{}"
#define GENERICS_LOCAL "<>"
#define RECEIVER_LOCAL "self"
#define EXPORTS_LOCAL "exports"

/*
 * A parameter, local variable or assigned field whose type is known to some degree: at least one of
 * `type` and `value` is set.
 */
struct local {
	/*
	 * `self.x` for a field that a method assigns; GENERICS_LOCAL for the type parameters of
	 * `definition`; RECEIVER_LOCAL for the receiver of an extension function; BLOCK_LOCAL
	 * for what `definition` calls a literal on that it is given; EXPORTS_LOCAL for what
	 * a file is to its importers, `exports.x` for what it gives them as x
	 */
	const char *name;
	const char *type;	/* declared type, or NULL; `K,T:Bound` for type parameters */
	/* assigned expression, or NULL; `x[]` for the elements of x in a loop */
	const char *value;
	int definition;		/* the function that it is local to; -1: the file */
	uint32_t line;		/* valid from here to the next local of this name in the definition */
	bool parameter;
};

/* The field that a method assigns, if this local is one; else NULL. */
static inline const char *local_field(const struct local *x)
{
	static const char self[] = "self.";

	for (size_t i = 0; i < sizeof self - 1; i++)
		if (x->name[i] != self[i])
			return NULL;
	if (x->definition < 0)
		return NULL;
	return x->name + sizeof self - 1;
}

struct fact_list {
	struct fact *v;		/* from grow(): the caller frees it */
	size_t n, cap;
};

struct facts {
	/* in order of start_byte; parents before members */
	struct { struct definition *v; size_t n; } definitions;
	struct { struct minor_name *v; size_t n; } minors;	/* in order of start_byte */
	struct { struct document *v; size_t n; } documents;	/* in order of start_line */
	/* proto/record/schema.def; `file` is NULL here */
	struct { struct fact *v; size_t n; } contracts;
	struct { struct import *v; size_t n; } imports;		/* these four in order of appearance */
	struct { struct reference *v; size_t n; } references;
	struct { struct base_type *v; size_t n; } bases;
	struct { struct local *v; size_t n; } locals;
	/* operations.h: in order of appearance */
	struct { struct operation *v; size_t n; } operations;
	/* settings.h: values that the file assigns; depend on its path, and parse does not set them */
	struct { struct setting *v; size_t n; } settings;
	/* manifests.h and document_urls.h; depend on the path, and parse does not set them */
	struct { struct package *v; size_t n; } packages;
	struct {
		bool sites;		/* contracts are not final: they depend on other files or callers */
		bool links;		/* it uses objects of frameworks that other files may create */
		/* frameworks whose objects it creates, with blanks around each; NULL if there are none */
		const char *makes;
		/* frameworks whose objects it creates, names or imports; in the same form */
		const char *binds;
	} open;
	/*
	 * declared package or namespace, dotted; NULL if there is none.  Nested namespaces are
	 * definitions (module)
	 */
	const char *package;
	uint32_t lines;
	bool generated;		/* a marker near its top marks it as generated */
	bool has_errors;	/* the parser had to skip something */
	/* the limit that cut the facts short (parse effort, parse time, nesting), or NULL */
	const char *limit;
	bool text_only;		/* the program that finds its definitions is not installed */
};

struct arena;

/* Merge more contracts, sorted by line, into the existing ones.  The result lives in the arena. */
void facts_merge_contracts(
    struct facts *out, const struct fact *more, size_t nmore, struct arena *a);

/* Append locals.  The result lives in the arena. */
void facts_append_locals(
    struct facts *out, const struct local *more, size_t nmore, struct arena *a);

/*
 * The scope of facts of generated clients and servers: bind_handlers decides which of them are
 * contracts.
 */
#define SCOPE_GENERATED "generated"

/*
 * The value of the column `joined`, which records how a fact was found: `how` for a provider,
 * consumer or gateway, else 4: a part from which other facts are composed.
 */
int64_t fact_joined(const struct fact *, int64_t how);
#endif
