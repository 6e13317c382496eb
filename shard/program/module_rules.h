#ifndef SHARD_PROGRAM_MODULE_RULES_H
#define SHARD_PROGRAM_MODULE_RULES_H
/*
 * How names of a language reach from file to file: lang/<name>/modules.tab, as lang/MODULES.md
 * describes it.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;

struct word_list {
	const char **v;
	size_t n;
};

/* What the module of an import stands for. */
enum scheme {
	SCHEME_PATH,		/* a file: ./users, app.users */
	SCHEME_DIRECTORY,	/* all files of a folder: example.com/app/users */
	SCHEME_NAME		/* nothing but the beginning of a name: com.example.users.User */
};

/* Where names need no import. */
enum share { SHARE_FILE, SHARE_DIRECTORY, SHARE_PACKAGE, SHARE_PROGRAM };

struct dialect {
	const char *name;
	const char *family;		/* languages of one family see each other's names */
	enum scheme scheme;
	/* a file is a page with scripts, and what it exports as default (langs.def) */
	bool page;
	enum share share;
	char separator;			/* between the parts of a module */
	bool dots;			/* leading dots are relative: one is this folder */
	bool slashes;			/* ./ and ../ are relative */
	/* of a module's path the beginning may be missing here: aliases, include paths */
	bool suffix;
	bool path_package;		/* the package follows from the path (Rust) */
	bool implicit_self;		/* members are seen without self */
	bool overloads;			/* by number of arguments */
	bool open_types;		/* members of a type may stand in other files */
	bool parts;			/* a type may be declared in several places, each with bases of its own */
	bool outer_packages;		/* names of outer packages are seen in inner ones */
	bool structural;		/* a type that has all methods of an interface implements it */
	bool full_names;		/* names of types hold dots, and are known everywhere */
	bool super_same;		/* super alone, or called, means what the method itself replaces */
	bool callable_types;		/* a call of a type's name makes an instance */
	bool implicit_receiver;		/* `self` in an extension is what it is called on */
	/* a function whose first parameter is `this` is a method of others' types, too */
	bool extensions;
	/* extensions of files whose text is taken in by others, with all that is static */
	struct word_list headers;
	struct word_list index;		/* stems of files that stand for their folder */
	struct word_list roots;		/* folders that modules are counted from */
	struct word_list configs;	/* stems of files that say what paths code calls otherwise */
	struct word_list external;	/* first parts of modules that are never in the repository */
	struct word_list builtin;	/* names that are everywhere */
	/* names of methods that make an instance, besides the kind `constructor` */
	struct word_list constructors;
	struct word_list through;	/* generic types whose members are those of their last argument */
	/* methods of containers that give an element, or as many of them */
	struct word_list element, same;
	struct word_list class_self;	/* parameters that are the class */
	/* first parts of a module: the root of all, this one, the one above */
	struct word_list crate, here, up;
	/* gRPC: names of generated code, in which each `*` is the service */
	struct word_list stub;			/* types of stubs */
	struct word_list stub_maker;		/* functions that make one */
	struct word_list stub_from;		/* where such names are from; none: they say enough */
	struct word_list stub_loader;		/* the same for what `*` alone names */
	struct word_list stub_not;		/* and where they are from when they are none */
	struct word_list stub_suffix;		/* what a method's name may end with besides */
	struct word_list servicer;		/* types that implementations are derived from */
	/* functions that register one, which needs to be derived from nothing */
	struct word_list servicer_maker;
	struct word_list servicer_not;		/* none is in any */
	struct word_list servicer_types;	/* one is in every method of an implementation */
	struct word_list stub_prefix;		/* what it may begin with besides */
	bool stub_snake;			/* methods are called say_hello that the service calls SayHello */
	struct word_list stub_own;		/* methods that every stub has */
	bool stub_value;			/* a method of a stub may be passed on as a value */
};

/* The dialect of a language of langs.def; NULL: its files have no references. */
const struct dialect *dialect_find(const char *language);

/* Read all of them, once for the process.  INTERNAL names the line that is wrong. */
int dialects_read(struct err *);

bool word_list_has(const struct word_list *, const char *word, size_t n);
#endif
