#ifndef SHARD_CONTRACTS_GRAPHQL_GRAPHQL_H
#define SHARD_CONTRACTS_GRAPHQL_GRAPHQL_H
/*
 * GraphQL in one file: which fields a schema gives to the types that may be its roots, and which
 * of them operations select.  Files of their own, and texts inside code that are wholly GraphQL.
 * They become operations of the form `graphql` (operations.h):
 *   schema   `path` Query.users; `name`: its directives, blanks around each; NULL: none
 *   root     schema { query: X }: `path` is Query, `name` X
 *   select   a field that an operation asks a root type for: `path` Query.users; `name`: what the document calls the operation
 *   spread   a fragment that an operation asks with: `path` Query, `resource` the fragment
 *   part     a field of a fragment on what may be a root type: `path` the field, `resource` the fragment
 * `label` is the definition around a text in code.  Who serves what is found when all files are
 * known (bind_handlers_graphql.c).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct facts;
struct found_definitions;
struct operation;
struct syntax_tree;

/*
 * What a text says, in the arena; how many.  `whole`: a text that is not wholly GraphQL says
 * nothing; else what comes before the mistake counts.
 */
size_t graphql_read(const char *text, size_t n, int whole, struct arena *, struct operation **out);

/*
 * What a file is asked before its strings are read: whether it holds one of the texts of each
 * kind, up to NULL.
 */
enum { GRAPHQL_HAS_TEXT, GRAPHQL_PAGES, GRAPHQL_CLIENT, NGRAPHQL };
extern const struct graphql_text {
	unsigned kind;
	const char *text;
} graphql_texts[];

/* The same of the strings of a file, behind what is in out->operations; `holds`: for each kind. */
void graphql_embedded(const struct syntax_tree *, const struct found_definitions *,
    const bool *holds, struct facts *out);
#endif
