#ifndef SHARD_SYNTAX_QUERY_SOURCE_H
#define SHARD_SYNTAX_QUERY_SOURCE_H
/* Queries as text, before they are compiled. */

struct buf;
struct err;

/*
 * Append the query, in which what is called (`function: X`) may also stand inside a node of that
 * type: `function: [X (await_expression X)]`, as a grammar reads `await a.b<T>()`.
 */
void query_expand_called(const char *text, const char *type, struct buf *out);

/*
 * Append the query, what stands between `; each NAME NAME...` and `; end` once for each of the
 * rows that follow the first of these lines, `;   CELL | CELL...`, with its cells in place of
 * `$NAME`; an `each` may stand in another.  0, or -1 with `e` (INTERNAL).
 */
int query_expand_each(const char *text, struct buf *out, struct err *e);
#endif
