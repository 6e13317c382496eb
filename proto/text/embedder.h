#ifndef PROTO_TEXT_EMBEDDER_H
#define PROTO_TEXT_EMBEDDER_H
/* Texts to unit vectors, by the model in the program, by an HTTP API, or not at all. */

#include <stddef.h>

struct err;
struct embedder;

enum embed_side { EMBED_DOCUMENT, EMBED_QUERY };

struct embedder_options {
	const char *kind;		/* builtin | http | none */
	const char *url, *model, *key;	/* of http */
	const char *query_prefix, *document_prefix;	/* put before each text that is sent; NULL: "" */
	size_t dimension;		/* of http; 0: what it answers */
	size_t batch;			/* texts a request; 0: 64 */
	int timeout_ms;			/* of one request; 0: 30 s */
};

struct embed_text {
	const char *p;
	size_t n;
};

/* The embedder, thread-safe from then on; strings are copied.  NULL with INVALID_INPUT that names the option. */
struct embedder *embedder_open(const struct embedder_options *, struct err *);
void embedder_free(struct embedder *);		/* NULL is fine */

/* Floats of a vector.  0: kind none, or http without `dimension` before its first answer. */
size_t embedder_dim(const struct embedder *);

/*
 * What vectors that may be compared have in common: `builtin:code-embed:256:1`, `http:<model>:<dim>:1`; "" while the
 * dimension is 0.
 */
const char *embedder_fingerprint(const struct embedder *);

/*
 * `n` unit vectors of embedder_dim() floats into `out`; zeros for a text that says nothing.  builtin: pass many texts at a
 * time, a call costs 10 us.  0, or -1 with INVALID_INPUT (kind none).
 */
int embedder_texts(struct embedder *, enum embed_side, const struct embed_text *, size_t n, int deadline_ms, float *out,
    struct err *);
#endif
