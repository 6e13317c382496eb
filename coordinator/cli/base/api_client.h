#ifndef COORDINATOR_CLI_BASE_API_CLIENT_H
#define COORDINATOR_CLI_BASE_API_CLIENT_H
/* The coordinator's HTTP API, as a client sees it: a tool's name and JSON in, JSON out. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;
struct cli;
struct err;
struct string_list;
struct record;

struct api_client {
	const char *url, *token, *ca;
	/* If set, each call runs a coordinator of its own on this data folder; `url` is not used. */
	const char *data;
};

/* The client for --url, --ca and the token. */
struct api_client client_from_options(const struct cli *);

enum answer { ANSWER_OK, ANSWER_ERROR, ANSWER_NONE };

/*
 * Call a tool.  ANSWER_OK: `*body` is the result.  ANSWER_ERROR: `*body` is the envelope
 * {"error":{…}}.  ANSWER_NONE: nothing answered, or something that is not a coordinator; `e` is
 * set.  `timeout_ms` 0 means 10 minutes.
 */
enum answer client_call(const struct api_client *, const char *tool, const char *args,
    int timeout_ms, const char **body, struct arena *, struct err *e);

/* The same, but decode the result into the record at `out`, and the error envelope into `e`. */
enum answer client_get(const struct api_client *, const char *tool, const char *args,
    int timeout_ms, const struct record *, void *out, struct arena *, struct err *e);

/*
 * Build a tool's arguments, one member at a time.  Begin with a zeroed buffer.  A member whose
 * value is NULL, "", 0 or false is omitted.
 */
void args_str(struct buf *, const char *name, const char *value);
void args_strs(struct buf *, const char *name, const char *const *v, size_t n);
void args_num(struct buf *, const char *name, long long value);
void args_flag(struct buf *, const char *name, bool value);

/* The member `groups`: those of --group, or `default` if there are none. */
void args_groups(struct buf *, const struct string_list *);

/* The whole JSON object, in the arena.  Frees the buffer. */
const char *args_end(struct buf *, struct arena *);
#endif
