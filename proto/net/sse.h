#ifndef PROTO_NET_SSE_H
#define PROTO_NET_SSE_H
/*
 * Parses server-sent events (WHATWG HTML, 9.2) that arrive in pieces: the data of each event, and
 * the id of the last one.
 */

#include <stddef.h>

#include "proto/base/buf.h"

/* Zero-initialise everything but the function and its argument. */
struct sse_parser {
	void (*event)(void *arg, const char *data);
	void *arg;
	struct buf line, data;
	char id[64];			/* of the last complete event; "" if it has none or a longer one */
	char pending_id[64];
};

/*
 * Parse more bytes, and call `event` for each event that ends in them.  0, or -1 if a line or an
 * event is longer than 64 MiB.
 */
int sse_parser_feed(struct sse_parser *, const char *, size_t n);

void sse_parser_free(struct sse_parser *);
#endif
