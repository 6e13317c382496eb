#ifndef SHARD_CONTRACTS_SPECS_ATOLL_YAML_H
#define SHARD_CONTRACTS_SPECS_ATOLL_YAML_H
/*
 * atoll.yaml at the root of a repository: what its maintainers declare because no code tells it:
 * names and hosts of services, base paths, routes, links and what is none, gateways, and files to ignore.
 */

#include <stddef.h>

struct arena;
struct facts;

/*
 * Add the declarations of the file to its contracts and settings; nothing for another file.  An
 * invalid file adds nothing at all; out->limit tells why: `atoll.yaml:LINE: KEY: …`.
 */
void atoll_yaml_read(
    const char *path, const char *text, size_t n, struct arena *, struct facts *out);
#endif
