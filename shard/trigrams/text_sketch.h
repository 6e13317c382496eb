#ifndef SHARD_TRIGRAMS_TEXT_SKETCH_H
#define SHARD_TRIGRAMS_TEXT_SKETCH_H
/* The trigrams of all texts as a small set (gram_sketch.h). */

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/*
 * Make the sketch, in `a`.  It is empty if there are no texts yet, or so many that reading their
 * lists takes long: then nobody may leave the shard out.
 */
int text_sketch_make(struct db *, struct arena *a, struct bytes *out, struct err *);
#endif
