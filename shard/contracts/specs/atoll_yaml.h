#ifndef SHARD_CONTRACTS_SPECS_ATOLL_YAML_H
#define SHARD_CONTRACTS_SPECS_ATOLL_YAML_H
/*
 * atoll.yaml at the root of a repository: what its people say of it that no text of a program
 * does.  Names and hosts of services, base paths, routes, links, gateways, files that say nothing.
 */

#include <stddef.h>

struct arena;
struct facts;

/*
 * Add what the file says to its contracts and settings.  Nothing for another file.  A file with a
 * fault adds nothing at all; out->limit names it: `atoll.yaml:LINE: KEY: …`.
 */
void atoll_yaml_read(
    const char *path, const char *text, size_t n, struct arena *, struct facts *out);
#endif
