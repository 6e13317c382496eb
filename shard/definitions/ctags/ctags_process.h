#ifndef SHARD_DEFINITIONS_CTAGS_CTAGS_PROCESS_H
#define SHARD_DEFINITIONS_CTAGS_CTAGS_PROCESS_H
/*
 * The program universal-ctags as one child process that parses many files.  It is sandboxed and
 * limited, starts when it is first needed, restarts after it died, and is given up if it keeps
 * dying.
 */

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct ctags;
struct sandbox;

/*
 * `options` (NULL-terminated) are further arguments, and must outlive the result.  Starts no
 * process.
 */
struct ctags *ctags_new(const char *const *options);
void ctags_free(struct ctags *);	/* NULL is fine; ends the process */

/*
 * Append the tags of a text of `n` bytes, one JSON object per line.  `name` tells ctags the
 * language.  -1 if ctags is not installed, did not answer within `timeout_ms` (0 = a minute), or
 * died; `out` is then unspecified.
 */
int ctags_request_tags(
    struct ctags *, const char *name, const char *text, size_t n, int timeout_ms, struct buf *out);

/* Whether there is no usable ctags; known after the first request. */
bool ctags_missing(const struct ctags *);

/* Let a sandbox (sandbox.h) start ctags.  It does not start one that is a script. */
void ctags_allow(struct sandbox *);
#endif
