#ifndef PROTO_RECORD_LIGHT_HIT_H
#define PROTO_RECORD_LIGHT_HIT_H
/*
 * A hit without its place, as it stands in search_res.light, little endian: of most hits nothing
 * is asked but how good they are.  Where those stand that are shown is asked for when that is
 * known (snippet_req.hits).
 */

#include <stdint.h>

struct light_hit {
	uint64_t text;			/* text_id.h */
	uint32_t doc, file;		/* of the shard's index */
	double lexical, exact, cosine, near;	/* as in a hit; `named` is 0 */
};
_Static_assert(sizeof(struct light_hit) == 48, "without gaps");
#endif
