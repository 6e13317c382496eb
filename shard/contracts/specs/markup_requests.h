#ifndef SHARD_CONTRACTS_SPECS_MARKUP_REQUESTS_H
#define SHARD_CONTRACTS_SPECS_MARKUP_REQUESTS_H
/* Requests of markup without code: forms and attributes of libraries, listed in lang/markup.tab. */

#include <stddef.h>

struct arena;
struct script_block;
struct err;
struct fact;
struct facts;
struct markup;

/* Reads lang/markup.tab; NULL with INTERNAL naming the line. */
struct markup *markup_new(struct err *);
void markup_free(struct markup *);	/* NULL is fine */

/*
 * Add the contracts of a page or template to out->contracts, in order of line; they live in `a`.
 * `*scripts`, also in `a`, are the values of attributes that are scripts and make requests.
 * Returns how many scripts there are.
 */
size_t markup_find(const struct markup *, const char *text, size_t n, struct arena *a,
    struct facts *out, struct script_block **scripts);
#endif
