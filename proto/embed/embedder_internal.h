#ifndef PROTO_EMBED_EMBEDDER_INTERNAL_H
#define PROTO_EMBED_EMBEDDER_INTERNAL_H
/* The interface of a kind of embedder.  Only embedder*.c include this. */

#include "proto/embed/embedder.h"

#include <stdatomic.h>

struct embedder_kind {
	const char *name;
	int (*open)(struct embedder *, const struct embedder_options *, struct err *);
	int (*texts)(struct embedder *, enum embed_side, const struct embed_text *, size_t n,
	    int deadline_ms, float *out, struct err *);
	void (*close)(struct embedder *);
};

struct embedder {
	const struct embedder_kind *kind;
	void *impl;			/* the kind's own data */
	atomic_size_t dim;		/* once set, it and the fingerprint do not change */
	char fingerprint[200];
};

extern const struct embedder_kind embedder_builtin, embedder_http, embedder_none;
#endif
