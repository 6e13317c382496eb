#ifndef PROTO_RECORD_LIGHT_HIT_H
#define PROTO_RECORD_LIGHT_HIT_H
/*
 * A hit without its location, in search_res.light, little endian.  Most hits need only their
 * scores; the locations of those that are shown are requested afterwards (snippet_req.hits).
 */

#include <stdint.h>

struct light_hit {
	uint64_t text;			/* text_id.h */
	uint32_t doc, file;		/* of the shard's index */
	double lexical, exact, cosine, near;	/* as in a hit; `named` is 0 */
};
_Static_assert(sizeof(struct light_hit) == 48, "without gaps");
#endif
