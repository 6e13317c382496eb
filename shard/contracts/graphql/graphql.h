#ifndef SHARD_CONTRACTS_GRAPHQL_GRAPHQL_H
#define SHARD_CONTRACTS_GRAPHQL_GRAPHQL_H
/*
 * GraphQL in one file: the fields that a schema gives to types that may be its roots, and those
 * that operations select.  Reads GraphQL files, and strings in code that are entirely GraphQL.
 * They become operations of the form `graphql` (operations.h):
 *   schema   `path` Query.users; `name`: its directives with blanks around each, or NULL
 *   root     schema { query: X }: `path` is Query, `name` is X
 *   select   a selected field of a root type: `path` Query.users; `name`: the operation's name
 *   spread   a fragment that an operation spreads: `path` Query, `resource` the fragment
 *   part     a field of a fragment on a possible root: `path` the field, `resource` the fragment
 * `label` is the definition around a string in code.  Resolvers are found once all files are known
 * (bind_handlers_graphql.c).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct facts;
struct found_definitions;
struct operation;
struct syntax_tree;

/*
 * Read the operations of a text into the arena; returns how many.  `whole`: a text with a syntax
 * error has none; else those before the error count.
 */
size_t graphql_read(const char *text, size_t n, int whole, struct arena *, struct operation **out);

/*
 * Texts that decide whether the strings of a file are read, by kind; the last has a NULL text.
 */
enum { GRAPHQL_HAS_TEXT, GRAPHQL_PAGES, GRAPHQL_CLIENT, NGRAPHQL };
extern const struct graphql_text {
	unsigned kind;
	const char *text;
} graphql_texts[];

/*
 * Append the operations in a file's strings to out->operations.  `holds`: for each kind, whether
 * the file contains one of its texts.
 */
void graphql_embedded(const struct syntax_tree *, const struct found_definitions *,
    const bool *holds, struct facts *out);
#endif
