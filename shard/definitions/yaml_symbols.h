#ifndef SHARD_DEFINITIONS_YAML_SYMBOLS_H
#define SHARD_DEFINITIONS_YAML_SYMBOLS_H
/* Symbols of YAML and JSON files whose form is known: OpenAPI, compose.  lang/keys.tab. */

#include <stddef.h>

struct arena;
struct err;
struct found_list;
struct keys;

/* Reads lang/keys.tab; NULL with INTERNAL naming the line. */
struct keys *keys_new(struct err *);
void keys_free(struct keys *);		/* NULL is fine */

/* Fill `out` in order of start; empty when the file has no known form or is broken.  Strings live in `a`. */
void keys_find(const struct keys *, const char *text, size_t n, struct arena *a, struct found_list *out);
#endif
