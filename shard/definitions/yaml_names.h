#ifndef SHARD_DEFINITIONS_YAML_NAMES_H
#define SHARD_DEFINITIONS_YAML_NAMES_H
/*
 * Minor names of any YAML file: anchors (`&defaults`), and environment variables, which are keys in
 * capitals (`DATABASE_URL: x`), items (`- API_TOKEN=x`) or named so (`- name: API_TOKEN`).
 */

#include <stddef.h>

struct arena;
struct found_definitions;

/* Adds them to the minor names in `out`, in order of place.  Strings live in the arena. */
void yaml_names_find(const char *text, size_t n, struct arena *, struct found_definitions *out);
#endif
