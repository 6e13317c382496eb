#ifndef PROTO_EMBED_OPENAI_API_H
#define PROTO_EMBED_OPENAI_API_H
/*
 * What the OpenAI-compatible APIs have in common: addresses, keys, and trying again what fails for
 * the moment.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;
struct fetch_response;

struct openai {
	const char *what;	/* in messages: "the embedding API" */
	const char *url;	/* of openai_url */
	const char *key;	/* NULL or "": none */
	int timeout_ms;		/* of one request */
	int tries;		/* at most, and one that times out is the last; 0: until the deadline */
	atomic_bool *stop;	/* NULL, or: give up within a second of its being set */
};

/*
 * The URL of an endpoint ("embeddings") below a base with or without /v1; a path with another
 * version (/api/v3, /v1beta/openai) stays as it is, and so does one that ends in the endpoint.
 */
const char *openai_url(const char *base, const char *endpoint, struct arena *a);

/*
 * INVALID_INPUT, naming the options --`flag`-url and so on: the URL is none of HTTP, or the key
 * (of the file, if one is named) holds what no header can.  `*key` is what to use; it lives in
 * `a`.
 */
int openai_check(const char *flag, const char *url, const char *key_file, const char **key,
    struct arena *a, struct err *e);

/*
 * POST a body of JSON.  429, 408, 5xx and lost connections are tried again until `deadline_ms` (of
 * clock_ms), after 0.25 s, 0.5 s, … with jitter, or after what Retry-After says; at once given up
 * when that is behind the deadline. 0 with an answer 2xx; -1 with RATE_LIMITED (429) or
 * UNAVAILABLE, the endpoint named without secrets; out->status is that of the last that answered,
 * 0 for none.
 */
int openai_post(const struct openai *, const char *body, size_t n, int64_t deadline_ms,
    struct fetch_response *out, struct arena *a, struct err *e);
#endif
