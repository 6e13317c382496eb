#ifndef PROTO_EMBED_EMBEDDER_INTERNAL_H
#define PROTO_EMBED_EMBEDDER_INTERNAL_H
/* What the kinds of embedders have in common; included by embedder*.c alone. */

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
	void *impl;			/* of the kind */
	atomic_size_t dim;		/* not 0: it and the fingerprint stay */
	char fingerprint[200];
};

extern const struct embedder_kind embedder_builtin, embedder_http, embedder_none;
#endif
