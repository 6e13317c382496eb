#ifndef SHARD_SYNTAX_QUERY_SOURCE_H
#define SHARD_SYNTAX_QUERY_SOURCE_H
/* Transforms the text of queries before they are compiled. */

#include <stddef.h>

struct buf;
struct err;

/*
 * Append the query so that the called expression (`function: X`) may also be inside a node of the
 * given type: `function: [X (await_expression X)]`, as some grammars parse `await a.b<T>()`.
 */
void query_expand_called(const char *text, const char *type, struct buf *out);

/*
 * Append the query.  The text between `; each NAME NAME...` and `; end` is repeated for each of
 * the rows `;   CELL | CELL...` that follow the first of these lines, with the cells in place of
 * `$NAME`.  `; each` may be nested.  0, or -1 with `e` (INTERNAL).
 */
int query_expand_each(const char *text, struct buf *out, struct err *e);

/*
 * Append the query.  A line `; rows NAME` and the rows behind it become a repetition, as `; each`,
 * of the shape with that name: what stands between `; shape NAME NAME...` and its `; end` in the
 * first of the `n` texts (NULL: none) that has it.  0, or -1 with `e` (INTERNAL): there is none.
 */
int query_expand_shapes(
    const char *text, const char *const *shapes, size_t n, struct buf *out, struct err *e);
#endif
