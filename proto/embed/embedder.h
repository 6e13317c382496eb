#ifndef PROTO_EMBED_EMBEDDER_H
#define PROTO_EMBED_EMBEDDER_H
/* Turns texts into unit vectors, with the built-in model, an HTTP API, or not at all. */

#include <stddef.h>

struct err;
struct embedder;

enum embed_side { EMBED_DOCUMENT, EMBED_QUERY };

enum { EMBED_DIM_MAX = 8192 };

/* NULL counts as "", 0 as the default.  All but `kind` are for http. */
struct embedder_options {
	const char *kind;		/* builtin | http | none */
	const char *url, *model;
	const char *key, *key_file;	/* the file overrides the key */
	const char *query_prefix, *document_prefix;	/* put before each text that is sent */
	size_t dimension;		/* 0 = that of the first answer */
	size_t batch;			/* texts per request; 0 = 64 */
	int timeout_ms;			/* of one request; 0 = 30 s */
};

/* From a daemon's options, which include embedder.def. */
#define EMBEDDER_OPTIONS(o) { \
	.kind = (o)->embedder, .url = (o)->embed_url, .model = (o)->embed_model, \
	.key = (o)->embed_key, .key_file = (o)->embed_key_file, \
	.query_prefix = (o)->embed_query_prefix, \
	.document_prefix = (o)->embed_document_prefix, .dimension = (size_t)(o)->embed_dimension, \
	.batch = (size_t)(o)->embed_batch, .timeout_ms = (int)(o)->embed_timeout, \
}

struct embed_text {
	const char *p;
	size_t n;
};

/*
 * Open the embedder, which is thread-safe; strings are copied.  NULL with INVALID_INPUT, naming the
 * option.
 */
struct embedder *embedder_open(const struct embedder_options *, struct err *);
void embedder_free(struct embedder *);		/* NULL is fine */

/*
 * Determine the dimension: http without a configured one requests one vector.  0, or -1 like
 * embedder_embed; may be repeated.
 */
int embedder_detect_dim(struct embedder *, int deadline_ms, struct err *);

/* The number of floats in a vector.  0 for kind none, and for http while it is unknown. */
size_t embedder_dim(const struct embedder *);

/*
 * Vectors may be compared if their embedders have the same fingerprint: `builtin:code-embed:256:1`,
 * `http:<model>:<dim>:1`; "" while the dimension is 0.
 */
const char *embedder_fingerprint(const struct embedder *);

/*
 * Write `n` unit vectors of embedder_dim() floats to `out`; zeros for a text without content.  http
 * sends batches, one after another, and retries transient failures (429, 5xx, no connection) until
 * `deadline_ms` from now.  0, or -1 with `out` undefined: RATE_LIMITED (429 to the end),
 * EMBEDDER_MISMATCH (another dimension), UNAVAILABLE (everything else, naming the endpoint without
 * secrets), INVALID_INPUT (kind none).
 */
int embedder_embed(struct embedder *, enum embed_side, const struct embed_text *, size_t n,
    int deadline_ms, float *out, struct err *);
#endif
