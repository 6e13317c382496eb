#ifndef SHARD_CONTRACTS_URLS_FRAMEWORK_H
#define SHARD_CONTRACTS_URLS_FRAMEWORK_H
/* The query files of a language, lang/<folder>/routes/: one framework each, or a part of one. */

#include "shard/syntax/tree_query.h"

struct arena;
struct embedded;
struct err;
struct multi_search;
struct rules;

/* What a capture says; lang/ROUTES.md explains each. */
enum role {
	ROLE_SITE, ROLE_PATH, ROLE_METHOD, ROLE_HANDLER, ROLE_PREFIX, ROLE_SCOPE, ROLE_BIND,
	    ROLE_OBJECT, ROLE_CLASS, ROLE_BASE, ROLE_OPTIONS,
	ROLE_SERVICE, ROLE_INSTANCE, ROLE_VERSION, ROLE_EXCEPT, ROLE_REWRITE, ROLE_EXCHANGE, ROLE_QUEUE,
	    ROLE_INTERCEPT, NROLES
};

extern const char *const roles[NROLES];

struct framework {
	const char *name, *side, *kind;
	const char *only;		/* the language's folder, of several that share the file; NULL: all */
	/* a node that the grammar must have, of several that share the folder; NULL: none */
	const char *with;
	/* keys of settings that come before all its paths, with blanks between; NULL: none */
	const char *settings;
	const char *scope;		/* of its facts: devtool; NULL: none */
	/* of texts of which the file must hold one, one more, and none */
	unsigned number, also, unless;
	const struct embedded *file;
	const TSLanguage *grammar;
	const char *called;		/* a node type around what is called that queries look through; NULL */
	struct query *query;		/* NULL until it is needed: compiling takes milliseconds */
	bool broken;
	bool global;			/* compiled, it has prefixes for all of the framework */
	bool intercepts;		/* compiled, it has functions that change requests */
	bool again;			/* a file before it has the same name: they run together */
	struct framework *next;
};

struct frameworks {
	struct framework *first;
	unsigned n;
	struct multi_search *needles;	/* what files must hold, by the number of the framework */
	unsigned graphql;		/* the first of the numbers of graphql_texts */
	/* by number: those without needs; those of which the text in hand holds one */
	bool *always, *needed;
	/* by number: it holds one, but not one more, or one of those that it must not hold */
	bool *refused;
};

/* The frameworks of a language, living in the arena; -1 with INTERNAL naming the file. */
int frameworks_load(const struct rules *, struct arena *, struct frameworks *out, struct err *);

/* Set `needed` for a text: the frameworks without which it could not say what it says. */
void frameworks_detect(struct frameworks *, const struct syntax_tree *);

/* Make f->query; -1 with INTERNAL naming the file and the line, the first time. */
int framework_compile(struct framework *f, struct err *);

/* Whether two files are of one framework, so that their matches belong together. */
bool framework_is_same(const struct framework *, const struct framework *);
#endif
