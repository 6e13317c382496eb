#ifndef SHARD_DEFINITIONS_YAML_SYMBOLS_H
#define SHARD_DEFINITIONS_YAML_SYMBOLS_H
/* Symbols of YAML and JSON files of known formats (OpenAPI, compose), by lang/keys.tab. */

#include <stddef.h>

struct arena;
struct err;
struct found_definitions;
struct yaml_symbol_rules;

/* Reads lang/keys.tab; NULL with INTERNAL naming the line. */
struct yaml_symbol_rules *yaml_symbols_new(struct err *);
void yaml_symbols_free(struct yaml_symbol_rules *);		/* NULL is fine */

/*
 * Fill `out` in order of start; empty if the file has no known format or cannot be parsed.
 * Strings live in `a`.
 */
void yaml_symbols_find(const struct yaml_symbol_rules *, const char *text, size_t n,
    struct arena *a, struct found_definitions *out);
#endif
