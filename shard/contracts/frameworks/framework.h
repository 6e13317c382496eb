#ifndef SHARD_CONTRACTS_FRAMEWORKS_FRAMEWORK_H
#define SHARD_CONTRACTS_FRAMEWORKS_FRAMEWORK_H
/*
 * The query files of a language, lang/<folder>/routes/: one framework each, or a part of one, for one
 * side or several.
 */

#include "shard/syntax/tree_query.h"

struct arena;
struct embedded;
struct err;
struct multi_search;
struct rules;

/* The roles of captures; lang/ROUTES.md explains each. */
enum role {
	ROLE_SITE, ROLE_PATH, ROLE_METHOD, ROLE_HANDLER, ROLE_PREFIX, ROLE_SCOPE, ROLE_BIND,
	    ROLE_OBJECT, ROLE_CLASS, ROLE_BASE, ROLE_OPTIONS,
	ROLE_SERVICE, ROLE_INSTANCE, ROLE_VERSION, ROLE_EXCEPT, ROLE_REWRITE, ROLE_EXCHANGE, ROLE_QUEUE,
	    ROLE_INTERCEPT, NROLES
};

extern const char *const roles[NROLES];

struct framework {
	const char *name, *side, *kind;
	const char *only;		/* the only language folder that uses the file; NULL: all */
	const char *with;		/* a node type that the grammar must have; or NULL */
	const char *settings;		/* keys of settings that prefix all its paths; or NULL */
	const char *scope;		/* of its facts: devtool; or NULL */
	/* sets of texts: a file must contain one of `number`, one of `also`, and none of `unless` */
	unsigned number, also, unless;
	const struct embedded *file;
	const char *queries;		/* of this side of the file */
	const struct rules *rules;	/* of the language that runs the queries */
	struct query *query;		/* NULL until it is needed: compiling takes milliseconds */
	bool broken;
	bool global;			/* once compiled: it has prefixes for all of the framework */
	bool intercepts;		/* once compiled: it has functions that change requests */
	bool again;			/* an earlier file has the same name: they run together */
	struct framework *next;
};

struct frameworks {
	struct framework *first;
	unsigned n;
	struct multi_search *needles;	/* what files must hold, by the number of the framework */
	unsigned graphql;		/* the first of the numbers of graphql_texts */
	/* by number: always found, without a text; found in the current text */
	bool *always, *needed;
	bool *refused;			/* by number: needed, but excluded by `also` or `unless` */
};

/* The frameworks of a language, living in the arena; -1 with INTERNAL naming the file. */
int frameworks_load(const struct rules *, struct arena *, struct frameworks *out, struct err *);

/* Set `needed` and `refused` for a text. */
void frameworks_detect(struct frameworks *, const struct syntax_tree *);

/* Compile f->query; -1, the first time with INTERNAL naming the file and the line. */
int framework_compile(struct framework *f, struct err *);

/* Whether two query files are of the same framework, so that their matches belong together. */
bool framework_is_same(const struct framework *, const struct framework *);
#endif
