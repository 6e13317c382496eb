#ifndef SHARD_GRAPH_REFERENCE_RESOLUTION_H
#define SHARD_GRAPH_REFERENCE_RESOLUTION_H
/* What a reference in the file that the resolver has begun with means. */

#include "shard/program/name_resolution.h"

/* The steps that finding what one reference means may take (name_resolver.steps). */
enum { REFERENCE_STEPS = 500 };

/*
 * The definitions that it means: by its receiver's type, scope and imports; else the methods that
 * extend any type; else, with CONFIDENCE_NAME, the definitions of that name anywhere.
 */
struct resolved_value reference_resolve(struct name_resolver *, const struct reference *);

/* Whether nothing is known of what the reference means but its name. */
bool reference_is_unclear(struct name_resolver *, const struct reference *);
#endif
