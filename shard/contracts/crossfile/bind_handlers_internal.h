#ifndef SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_INTERNAL_H
#define SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_INTERNAL_H
/*
 * The parts of bind_handlers: the facts that are read and written (bind_handlers), finding handlers
 * (_find), callers of generated clients (_callers), documents without handlers (_documented),
 * references (_references), GraphQL (_graphql), and the table of conditions (_table).
 */

#include <stdbool.h>

#include "proto/record/record.h"
#include "shard/contracts/crossfile/bind_handlers.h"
#include "shard/contracts/specs/operations.h"
#include "shard/program/program.h"

/* A fact from code. */
struct code_fact {
	struct fact fact;
	int64_t file;
};

/* An operation and its handler. */
struct bound_operation {
	struct operation o;
	int64_t file;			/* the document */
	const char *path;		/* of the document */
	const struct sym **v;		/* the candidates */
	size_t n, cap;
	const struct sym *by;		/* the handler; NULL if it is unknown */
	const struct fact *method;	/* the gRPC method, or the call that starts its gateway; or NULL */
	int64_t method_file;
	bool called;			/* hand-written code of its project calls the function */
	bool documented;		/* no handler is known, but the document is the service's own */
};

struct handler_rule;

/* lang/answers.tab */
struct handler_table {
	struct handler_rule *handlers;
	/* words in manifests, |-separated: of servers, and of generators of clients */
	const char *services, *clients;
	const char *schemas;		/* the same of servers that resolve all of their GraphQL schemas */
	const char *ordinary;		/* segments of routes that nearly every server has; |-separated */
};

struct handler_binder {
	struct db *db;
	const struct text_source *texts;
	struct arena *a;
	struct program *w;
	struct bound_operation *v;		/* by document and line */
	size_t n, cap;
	/* of the form `graphql` (graphql.h), in the same order */
	struct bound_operation *graphql;
	size_t ngraphql, graphql_cap;
	struct code_fact *code;		/* by file and line */
	size_t ncode, code_cap;
	struct code_fact *generated;	/* of clients and servers that are generated from documents */
	size_t ngenerated, generated_cap;
	struct handler_table table;
	struct map *manifests;		/* folder -> text of its manifests */
	int definitions_examined;	/* limits the time */
	struct bound_fact_list *out;		/* facts so far */
	struct map *seen;		/* the routes of `out`, so that each is added once */
	struct err *e;
};

/* A definition as it stands. */
struct definition_position {
	uint32_t line, end_line;
	const char *signature;		/* NULL: none */
	bool generated;
};

/* ---- bind_handlers_find.c ---- */

/* Fill `by` or `method` of each. */
void bind_handlers_find(struct handler_binder *);

/* The position of a definition, in the arena; false if the index lacks it. */
bool bind_handlers_position(
    struct handler_binder *, const struct sym *, struct definition_position *out);

/* ---- bind_handlers_documented.c ---- */

/* After bind_handlers_find: set `documented`. */
void bind_handlers_mark_documented(struct handler_binder *);

/* A path relative to a document's folder, with `./` and `../` resolved. */
const char *bind_handlers_resolve_path(
    struct handler_binder *, const char *document, const char *path);

/* ---- bind_handlers_references.c ---- */

/* Replace references by the operations of the files that they name. */
void bind_handlers_expand_references(struct handler_binder *);

/* ---- bind_handlers_callers.c ---- */

/* The first call of a function of a generated file, as a fact; false if there is none. */
bool bind_handlers_first_call(
    struct handler_binder *, const struct sym *, struct fact *out, int64_t *file);

/* bind_handlers_put_call for each place that calls a function of a generated client; 0 or -1. */
int bind_handlers_callers(struct handler_binder *);

/* ---- bind_handlers_generated.c ---- */

/* Before bind_handlers_find: the paths of generated servers as their registration says them. */
void bind_handlers_complete_servers(struct handler_binder *);

/* After bind_handlers_callers: what generated code itself serves and requests. */
void bind_handlers_put_generated(struct handler_binder *);

/* ---- bind_handlers.c ---- */

/* Whether two files have the same nearest manifest. */
bool bind_handlers_same_project(struct handler_binder *, const char *a, const char *b);

/* Add a request for a call of a generated function, at the place of the call; `symbol` or NULL. */
void bind_handlers_put_call(struct handler_binder *, const struct bound_operation *, int64_t file,
    const char *path, uint32_t line, const char *symbol);

/* Add a fact in `file` that depends on the file `owner`, once. */
void bind_handlers_put_fact(
    struct handler_binder *, int64_t owner, int64_t file, const struct fact *);

/* ---- bind_handlers_graphql.c ---- */

/* Add the facts of resolvers and clients of fields of root types. */
void bind_handlers_graphql(struct handler_binder *);

/* ---- bind_handlers_table.c ---- */

/* Read lang/answers.tab into x->table; -1 with INTERNAL. */
int bind_handlers_load_table(struct handler_binder *);

/* Whether a row of the table accepts a function as a handler. */
bool bind_handlers_rule_matches(
    struct handler_binder *, const struct sym *, const struct definition_position *);

/* The texts of a folder's manifests, concatenated; "" if it has none. */
const char *bind_handlers_manifests(struct handler_binder *, const char *dir);

/* The nearest folder above a file that has a manifest; NULL if there is none. */
const char *bind_handlers_project(struct handler_binder *, const char *path);

/* Whether the folder's manifests are those of a server that generates no clients from documents. */
bool bind_handlers_is_server(struct handler_binder *, const char *dir);

/* Whether they are those of a server that resolves all fields of its GraphQL schemas. */
bool bind_handlers_is_graphql_server(struct handler_binder *, const char *dir);

/* Whether nearly every server has such a route: health, metrics, its own documentation. */
bool bind_handlers_is_common_route(const struct handler_binder *, const char *path);
#endif
