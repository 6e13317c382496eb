#ifndef SHARD_FACTS_FACTS_H
#define SHARD_FACTS_FACTS_H
/*
 * What one blob says, whoever holds it: depends on (bytes, language, extractor version) alone,
 * never on a path. Everything lives in the arena that the parser was given.  `resolve` places and
 * joins the facts of many blobs.
 *
 * Expressions and types are normalised text without white space.
 *   expression   primary ( "." name | "()" | "[]" )*      self.repo.find()   users[].name   pkg.New()
 *                primary: a name; `self` for this/self/$this/@; `super` for super/base/parent; Type! for `new Type(…)`,
 *                `Type{…}` and the like: an instance of the type.  NULL: anything else (literals, operators, lambdas).
 *                Parentheses, await, casts of values, `?`, `!`, `&` and `*` are dropped; `::`, `->`, `?.` and `\` become `.`
 *   type         a dotted name with type arguments in <>:  User   models.User   List<User>   Map<String,User>
 *                Pointers, references, nullability, const and arrays of dropped kinds are left out; T[] is []<T>
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

/*
 * Grows whenever the same bytes would give other facts: part of every cache key and of the schema
 * check.
 */
enum { EXTRACTOR_VERSION = 17 };

struct definition {
	const char *name;	/* as declared */
	const char *qualified;	/* with its parents, joined by '.' */
	const char *kind;	/* a name of proto/record/kinds.def */
	const char *signature;	/* on one line, without body; NULL for what is not callable */
	const char *doc;	/* without comment marks; NULL: none */
	/*
	 * returned by a callable; declared for a field, variable, alias (what it stands for); NULL:
	 * unknown
	 */
	const char *type;
	/*
	 * expression that a field, variable or constant is given, or that a callable without `type`
	 * returns; NULL: none
	 */
	const char *value;
	uint32_t start_line, end_line;	/* 1-based, inclusive; the doc comment is not in it */
	uint32_t start_byte, end_byte;
	int parent;		/* index of the definition that contains it, or -1 */
	bool exported, test;
};

/* A search document: a definition without what its members hold, or text outside definitions. */
struct document {
	int definition;		/* index, or -1 for a gap */
	const char *body;	/* source text, valid UTF-8 not guaranteed */
	size_t nbody;
	uint32_t start_line, end_line;
};

/* A name that the file takes from elsewhere: one for each name of a statement. */
struct import {
	/*
	 * as written, without quotes: ./users  ..models  net/http  stdio.h  crate.db.users  java.util
	 */
	const char *module;
	const char *name;	/* what of it; NULL: the module itself; "*": all its names */
	const char *alias;	/* its name here; NULL: as there (of a module: its last part) */
	int definition;		/* the definition it holds in, or -1: the file */
	uint32_t line;
	bool again;		/* also offered to those who import this file: export … from, pub use */
	bool include;		/* the text itself is taken in: #include, require, source */
};

enum reference_kind {
	REF_CALL,		/* f(), a.f() */
	REF_NEW,		/* new T(), T{} : `name` is the type */
	REF_TYPE,		/* a type in a declaration, cast, annotation or decorator */
	/*
	 * a name or member that is read or written, where it can be a definition: f passed as an
	 * argument, T.CONST, a.field
	 */
	REF_VALUE,
	REF_KINDS
};

/* A place where something defined elsewhere is used. */
struct reference {
	const char *name;	/* the last name: `find` in self.repo.find(x) */
	/* the expression before it: self.repo ; NULL: none; "?": one that has no normal form */
	const char *receiver;
	enum reference_kind kind;
	int definition;		/* the innermost definition around it, or -1: the file */
	int arguments;		/* how many; -1: unknown or not a call */
	uint32_t line;
};

/* What a type is derived from. */
struct base_type {
	const char *type;
	/* its name, when it is not defined here (impl T for S): definition is -1 then; else NULL */
	const char *owner;
	int definition;		/* the type that is derived */
	uint32_t line;
	/* EITHER: the kind of what it names decides */
	enum { BASE_EXTENDS, BASE_IMPLEMENTS, BASE_EITHER } relation;
};

#define GENERICS_LOCAL "<>"
#define RECEIVER_LOCAL "self"

/*
 * A parameter, local variable or assigned field, and what is known of its type: at least one of
 * `type`, `value`.
 */
struct local {
	/*
	 * `self.x` for a field that a method assigns; GENERICS_LOCAL: the type parameters of
	 * `definition`; RECEIVER_LOCAL: what it is called on, of an extension
	 */
	const char *name;
	const char *type;	/* declared; NULL: not; of type parameters `K,T:Bound` */
	/* expression assigned; NULL: none; `x[]` for the elements that a loop takes from x */
	const char *value;
	int definition;		/* the function it is local to, or -1: the file */
	uint32_t line;		/* it holds from here to the next of its name in the same definition */
	bool parameter;
};

/* The field that a method gives something to by this local; NULL: it is another local. */
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

/* Facts, wherever they stand. */
struct fact_list {
	struct fact *v;		/* from grow(): the caller frees it */
	size_t n, cap;
};

struct facts {
	/* in order of start_byte; parents before members */
	struct { struct definition *v; size_t n; } definitions;
	struct { struct document *v; size_t n; } documents;	/* in order of start_line */
	/* proto/record/schema.def; `file` is NULL here */
	struct { struct fact *v; size_t n; } contracts;
	struct { struct import *v; size_t n; } imports;		/* these four in order of appearance */
	struct { struct reference *v; size_t n; } references;
	struct { struct base_type *v; size_t n; } bases;
	struct { struct local *v; size_t n; } locals;
	/* operations.h: in order of appearance */
	struct { struct operation *v; size_t n; } operations;
	/* settings.h: what the file, by its path, gives to names; not by parse */
	struct { struct setting *v; size_t n; } settings;
	/* manifests.h and document_urls.h: rows that the file, by its path, has; not by parse */
	struct { struct package *v; size_t n; } packages;
	struct {
		bool sites;		/* contracts are not final: other files or callers have a part in them */
		bool links;		/* it says something of objects of frameworks that others may have made */
		/* frameworks whose objects it makes, with blanks around each; NULL: none */
		const char *makes;
		/* those of whose objects it speaks at all: makes, names or imports one; the same way */
		const char *binds;
	} open;
	/*
	 * declared package or namespace, dotted; NULL: none.  Nested namespaces are definitions
	 * (module)
	 */
	const char *package;
	uint32_t lines;
	bool generated;		/* a marker in its head says so */
	bool has_errors;	/* the parser had to skip something */
	/* what cut them short, as status counts it: parse effort, parse time, nesting; NULL: nothing */
	const char *limit;
	bool text_only;		/* the program that finds its definitions is not installed here */
};

struct arena;

/* Put more contracts, in order of line, among those that are there; in the arena. */
void facts_merge_contracts(
    struct facts *out, const struct fact *more, size_t nmore, struct arena *a);

/*
 * How a contract fact came, for the column `joined`: `how`, or as a part that others are made of.
 */
int64_t fact_joined(const struct fact *, int64_t how);
#endif
