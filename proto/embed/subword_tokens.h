#ifndef PROTO_EMBED_SUBWORD_TOKENS_H
#define PROTO_EMBED_SUBWORD_TOKENS_H
/*
 * The subtokens of the builtin embedding: getURLs(HTTPServer2) -> get urls http server.
 * model/SPEC.md section 2.
 */

#include <stddef.h>

enum { SUBTOKEN_MAX = 32 };	/* longer ones are cut */

struct subtokens {
	const unsigned char *p, *end;	/* the rest of the text; any bytes */
};

/* The next subtoken in lower case, not NUL-terminated; its length, or 0 at the end. */
size_t subtokens_next(struct subtokens *, char out[SUBTOKEN_MAX]);
#endif
