#ifndef SHARD_DEFINITIONS_CTAGS_CTAGS_PROCESS_H
#define SHARD_DEFINITIONS_CTAGS_CTAGS_PROCESS_H
/*
 * The program universal-ctags as one child process, asked about many files: sandboxed, limited,
 * started when first needed, started again after it died, given up when it keeps dying.
 */

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct ctags;
struct sandbox;

/* `options` (ends with NULL) are further arguments; they must live as long.  Starts nothing. */
struct ctags *ctags_new(const char *const *options);
void ctags_free(struct ctags *);	/* NULL is fine; ends the process */

/*
 * Append the tags of `n` bytes, one JSON object a line.  Its name tells ctags the language.  -1:
 * ctags is not installed, did not answer in `timeout_ms` (0: a minute), or died of the file; `out`
 * is then unspecified.
 */
int ctags_request_tags(
    struct ctags *, const char *name, const char *text, size_t n, int timeout_ms, struct buf *out);

/* Whether there is no ctags that could be asked; known after the first question. */
bool ctags_missing(const struct ctags *);

/*
 * Let a sandbox start the programs that would be asked (sandbox.h).  One that is a script is not
 * started there.
 */
void ctags_allow(struct sandbox *);
#endif
