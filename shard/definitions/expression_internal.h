#ifndef SHARD_DEFINITIONS_EXPRESSION_INTERNAL_H
#define SHARD_DEFINITIONS_EXPRESSION_INTERNAL_H
/* Shared by expression.c and expression_types.c. */

#include "shard/definitions/expression.h"

struct node_path;
struct rules;

/* Append bytes; false if there is no room. */
bool normal_form_put(struct normal_form *, const char *s, size_t n);
bool normal_form_put_text(struct normal_form *, const char *s);
/* Whether names contain the byte. */
bool is_name_byte(char);
/* Append a name with dots between its parts; false if it is none. */
bool name_put(const struct rules *, struct normal_form *, const char *s, size_t n);
/* Append the type arguments at the path, `<A,B>`. */
bool type_arguments_put(
    const struct syntax_tree *, const struct node_path *, TSNode, struct normal_form *, int depth);
#endif
