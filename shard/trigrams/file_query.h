#ifndef SHARD_TRIGRAMS_FILE_QUERY_H
#define SHARD_TRIGRAMS_FILE_QUERY_H
/*
 * A query over the texts of an index: which files it is true for, and which of their lines it
 * asks for.  These are the lines of texts and definitions that stand under no `not`, in the parts
 * of the query that are true for the file.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/query/search_query.h"
#include "shard/trigrams/matching_lines.h"

struct arena;
struct db;
struct err;
struct file_query;
struct gram_query;

/*
 * Make a query ready; it must live as long.  `stop` is asked again and again; once it returns
 * true, so do searches. NULL with INVALID_INPUT, which names `query` or `pattern`.
 */
struct file_query *file_query_new(const struct search_query *, const struct query_options *,
    bool (*stop)(void *), void *arg, struct err *);
void file_query_free(struct file_query *); /* NULL is fine */

/* Find the definitions that it asks for.  0, 1 if it was stopped, -1 with `e`. */
int file_query_find_definitions(struct file_query *, struct db *, struct err *);

/* What the trigrams of a file must fulfil for which the query is true. */
const struct gram_query *file_query_grams(struct file_query *);

/*
 * Whether the query may be true for a file, by its path and language alone.  `language` may be
 * NULL: it has none; with `any_language` it is not known.
 */
bool file_query_may_match(
    struct file_query *, const char *path, const char *language, bool any_language);

/* A file that is searched; `text` without a byte order mark of `mark` bytes. */
struct searched_file {
	const char *path, *language, *text;
	size_t n, mark;
};

/*
 * Whether the query is true for a file, which must live until the next call: 1 or 0; -1 if it was
 * stopped.
 */
int file_query_begin(struct file_query *, const struct searched_file *);

/* The lines of that file, as in matching_lines.h. */
int file_query_next_line(struct file_query *, struct matching_line *out);

/* A match in a line: bytes from its start. */
struct line_span {
	size_t match, length;
};

enum { LINE_SPANS_MAX = 100 };

/* The matches of the last line behind its first one, in order, and how many. */
size_t file_query_more(
    struct file_query *, const struct matching_line *, struct line_span v[LINE_SPANS_MAX]);
#endif
