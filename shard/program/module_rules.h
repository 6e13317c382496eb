#ifndef SHARD_PROGRAM_MODULE_RULES_H
#define SHARD_PROGRAM_MODULE_RULES_H
/*
 * How a language refers to names of other files: lang/<name>/modules.tab.  lang/MODULES.md
 * describes the rows.
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
	SCHEME_NAME		/* only the beginning of a name: com.example.users.User */
};

/* Within what names need no import. */
enum share { SHARE_FILE, SHARE_DIRECTORY, SHARE_PACKAGE, SHARE_PROGRAM };

struct dialect {
	const char *name;
	const char *family;		/* languages of one family see each other's names */
	const char *ecosystem;		/* whose packages they publish and import; NULL: none is known */
	enum scheme scheme;
	bool page;			/* a page with scripts, which is its own default export (langs.def) */
	enum share share;
	char separator;			/* between the parts of a module */
	bool dots;			/* leading dots are relative: one is this folder */
	bool slashes;			/* ./ and ../ are relative */
	bool suffix;			/* paths may lack their beginning: aliases, include paths */
	bool path_package;		/* the package follows from the path (Rust) */
	bool implicit_self;		/* members are visible without self */
	bool overloads;			/* by number of arguments */
	bool open_types;		/* members of a type may be defined in other files */
	bool parts;			/* a type may be declared in several places, each with its own bases */
	bool outer_packages;		/* names of outer packages are visible in inner ones */
	bool structural;		/* a type that has all methods of an interface implements it */
	bool full_names;		/* names of types contain dots, and are visible everywhere */
	bool super_same;		/* super alone, or called, means the method that this one overrides */
	bool callable_types;		/* calling a type's name makes an instance */
	bool implicit_receiver;		/* `self` in an extension is the object that it is called on */
	bool trait_methods;		/* imported traits give objects of other types methods */
	bool bare_element;		/* types leave out what holds one element at most: Option */
	const char *loader;		/* a function whose result is a module that it names, or NULL */
	bool accessors; /* x is getX() and setX(): properties of Kotlin in Java */
	const char *called;		/* the method that runs when an object is called, or NULL */
	const char *type_suffix;	/* that names of types may leave out: Attribute; or NULL */
	const char *item;		/* the member type of a container that names its elements, or NULL */
	bool packaged; /* nobody imports what is outside of a package */
	bool extensions;		/* a function whose first parameter is `this` extends its type */
	struct word_list headers;	/* extensions of files that others include, static names too */
	struct word_list index;		/* stems of files that represent their folder */
	/* stems of files whose imports count in all files of their folder and below */
	struct word_list shared_imports;
	struct word_list roots;		/* folders that module paths start from */
	struct word_list configs;	/* stems of files that define path aliases */
	struct word_list external;	/* first parts of modules that are never in the repository */
	struct word_list builtin;	/* names that are visible everywhere */
	/* names of methods that make an instance, besides the kind `constructor` */
	struct word_list constructors;
	struct word_list makers;	/* methods of a type that make an instance of it */
	struct word_list through;	/* generic types with the members of their last argument */
	/* methods of containers that return an element, or a container of the same elements */
	struct word_list element, same;
	struct word_list class_self;	/* parameters that are the class */
	/* first parts of a module: the root package, this one, the one above */
	struct word_list crate, here, up;
	/* gRPC: names in generated code; each `*` is the service */
	struct word_list stub;			/* types of stubs */
	struct word_list stub_maker;		/* functions that make a stub */
	struct word_list stub_from;		/* modules of such names; empty: from anywhere */
	struct word_list stub_loader;		/* the same for names that are `*` alone */
	struct word_list stub_not;		/* modules whose names of that form are not stubs */
	struct word_list stub_suffix;		/* optional ends of a method's name */
	struct word_list servicer;		/* base types of implementations */
	struct word_list servicer_maker;	/* functions that register one without a base */
	struct word_list servicer_not;		/* words in no implementation */
	struct word_list servicer_types;	/* one of these is in every method of an implementation */
	struct word_list stub_prefix;		/* optional beginnings of a method's name */
	bool stub_snake;			/* the service's SayHello is say_hello in code */
	struct word_list stub_own;		/* methods that every stub has */
	bool stub_value;			/* a method of a stub may be passed on as a value */
};

/* The dialect of a language of langs.def; NULL if its files have no references. */
const struct dialect *dialect_find(const char *language);

/* Whose packages its files belong to: its ecosystem, or its family where none is known. */
const char *dialect_ecosystem(const struct dialect *);

/* Read all dialects, once per process.  INTERNAL names the bad line. */
int dialects_read(struct err *);

bool word_list_has(const struct word_list *, const char *word, size_t n);
#endif
