#ifndef PROTO_EMBED_EMBEDDER_H
#define PROTO_EMBED_EMBEDDER_H
/* Texts to unit vectors, by the model in the program, by an HTTP API, or not at all. */

#include <stddef.h>

struct err;
struct embedder;

enum embed_side { EMBED_DOCUMENT, EMBED_QUERY };

enum { EMBED_DIM_MAX = 8192 };

/* NULL is "", 0 the default; all but the kind are of http. */
struct embedder_options {
	const char *kind;		/* builtin | http | none */
	const char *url, *model;
	const char *key, *key_file;	/* the file wins */
	const char *query_prefix, *document_prefix;	/* put before each text that is sent */
	size_t dimension;		/* 0: what it answers first */
	size_t batch;			/* texts a request; 0: 64 */
	int timeout_ms;			/* of one request; 0: 30 s */
};

/* From a daemon's options, which include embedder.def. */
#define EMBEDDER_OPTIONS(o) { \
	.kind = (o)->embedder, .url = (o)->embed_url, .model = (o)->embed_model, .key = (o)->embed_key, \
	.key_file = (o)->embed_key_file, .query_prefix = (o)->embed_query_prefix, \
	.document_prefix = (o)->embed_document_prefix, .dimension = (size_t)(o)->embed_dimension, \
	.batch = (size_t)(o)->embed_batch, .timeout_ms = (int)(o)->embed_timeout, \
}

struct embed_text {
	const char *p;
	size_t n;
};

/*
 * The embedder, thread-safe from then on; strings are copied.  NULL with INVALID_INPUT that names
 * the option.
 */
struct embedder *embedder_open(const struct embedder_options *, struct err *);
void embedder_free(struct embedder *);		/* NULL is fine */

/*
 * Know the dimension: of http that was not told it, ask for one vector.  0, or -1 as
 * embedder_embed; may be repeated.
 */
int embedder_detect_dim(struct embedder *, int deadline_ms, struct err *);

/* Numbers of a vector.  0: kind none, or http that was not told and has not answered yet. */
size_t embedder_dim(const struct embedder *);

/*
 * What vectors that may be compared have in common: `builtin:code-embed:256:1`,
 * `http:<model>:<dim>:1`; "" while the dimension is 0.
 */
const char *embedder_fingerprint(const struct embedder *);

/*
 * `n` unit vectors of embedder_dim() floats into `out`; zeros for a text that says nothing.  http
 * asks in batches, one after another, and repeats what fails for the moment (429, 5xx, no
 * connection) until `deadline_ms` from now. 0, or -1 with `out` undefined: RATE_LIMITED (429 to
 * the end), EMBEDDER_MISMATCH (another dimension), UNAVAILABLE (all else, the endpoint named
 * without secrets), INVALID_INPUT (kind none).
 */
int embedder_embed(struct embedder *, enum embed_side, const struct embed_text *, size_t n,
    int deadline_ms, float *out, struct err *);
#endif
