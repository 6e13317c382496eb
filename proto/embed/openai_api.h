#ifndef PROTO_EMBED_OPENAI_API_H
#define PROTO_EMBED_OPENAI_API_H
/*
 * Requests to OpenAI-compatible APIs: addresses, keys, and retries after transient failures.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct fetch_response;

struct openai {
	const char *what;	/* in messages: "the embedding API" */
	const char *url;	/* from openai_url */
	const char *key;	/* NULL or "" for none */
	int timeout_ms;		/* of one request */
	int tries;		/* maximum; one that times out is the last; 0 = until the deadline */
	atomic_bool *stop;	/* NULL, or cancels the request within a second after it is set */
};

/*
 * The URL of an endpoint ("embeddings") below a base with or without /v1; a path with another
 * version (/api/v3, /v1beta/openai) stays as it is, and so does one that ends in the endpoint.
 */
const char *openai_url(const char *base, const char *endpoint, struct arena *a);

/*
 * Check the options --`flag`-url and --`flag`-key-file, and set `*key` to the file's contents, in
 * `a`, if there is a file.  -1 with INVALID_INPUT, naming the option, if the URL is not HTTP or the
 * key contains a control character.
 */
int openai_check(const char *flag, const char *url, const char *key_file, const char **key,
    struct arena *a, struct err *e);

/*
 * POST a JSON body.  Retries 429, 408, 5xx and lost connections until `deadline_ms` (of clock_ms),
 * after 0.25 s, 0.5 s, … with jitter, or after Retry-After; gives up at once if that is after the
 * deadline.  0 with a 2xx answer; -1 with RATE_LIMITED (429, with the answer's Retry-After in
 * e->retry_after_ms) or UNAVAILABLE, naming the endpoint without secrets.  out->status is that of the
 * last answer, 0 if there was none.
 */
int openai_post(const struct openai *, const char *body, size_t n, int64_t deadline_ms,
    struct fetch_response *out, struct arena *a, struct err *e);
#endif
