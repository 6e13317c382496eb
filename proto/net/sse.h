#ifndef PROTO_NET_SSE_H
#define PROTO_NET_SSE_H
/*
 * Server-sent events (WHATWG HTML, 9.2), as they come in pieces: the data of each, and the id of
 * the last.
 */

#include <stddef.h>

#include "proto/base/buf.h"

/* Zero-initialise but for the function and its argument. */
struct sse_parser {
	void (*event)(void *arg, const char *data);
	void *arg;
	struct buf line, data;
	char id[64];			/* of the last event that is whole; "": none, a longer one is none */
	char pending_id[64];
};

/*
 * Take further bytes; an event that ends within them is handed over.  -1: a line or an event is
 * longer than 64 MiB.
 */
int sse_parser_feed(struct sse_parser *, const char *, size_t n);

void sse_parser_free(struct sse_parser *);
#endif
