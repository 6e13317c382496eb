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
	/* not NULL: nobody is asked, a coordinator is run on this folder for the one answer */
	const char *data;
};

/* What the options say. */
struct api_client client_from_options(const struct cli *);

/* How an answer can be. */
enum answer { ANSWER_OK, ANSWER_ERROR, ANSWER_NONE };

/*
 * Call a tool.  ANSWER_OK: `*body` is the result; ANSWER_ERROR: `*body` is the envelope
 * {"error":{…}}; ANSWER_NONE: nobody answered, or not like a coordinator, and `e` says what.
 * `timeout_ms` 0: 10 minutes.
 */
enum answer client_call(const struct api_client *, const char *tool, const char *args,
    int timeout_ms, const char **body, struct arena *, struct err *e);

/* The same with the result read into the record at `out`; the error envelope becomes `e`. */
enum answer client_get(const struct api_client *, const char *tool, const char *args,
    int timeout_ms, const struct record *, void *out, struct arena *, struct err *e);

/*
 * Arguments, a member at a time: begin with a zeroed buffer; args_end closes the object and
 * returns its text.
 */
void args_str(struct buf *, const char *name, const char *value);	/* left out when NULL or "" */
/* left out when n is 0 */
void args_strs(struct buf *, const char *name, const char *const *v, size_t n);
/* `groups`; none given: default */
void args_groups(struct buf *, const struct string_list *);
void args_num(struct buf *, const char *name, long long value);		/* left out when 0 */
void args_flag(struct buf *, const char *name, bool value);		/* left out when false */
const char *args_end(struct buf *, struct arena *);			/* frees the buffer */
#endif
