#ifndef SHARD_QUERY_TEXT_H
#define SHARD_QUERY_TEXT_H
/* Queries as text, before they are compiled. */

struct buf;

/*
 * Append the query, in which what is called (`function: X`) may also stand inside a node of that type:
 * `function: [X (await_expression X)]`, as a grammar reads `await a.b<T>()`.
 */
void query_text_called(const char *text, const char *type, struct buf *out);
#endif
