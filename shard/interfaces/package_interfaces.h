#ifndef SHARD_INTERFACES_PACKAGE_INTERFACES_H
#define SHARD_INTERFACES_PACKAGE_INTERFACES_H
/*
 * The packages that a repository publishes, and the interface of each: what code of other
 * repositories can see of it.  Made from the index, without a build.
 */

#include <stddef.h>

#include "proto/net/crypto.h"
#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/* Larger interfaces are left out: nobody could take them in. */
enum {
	INTERFACE_MAX_BYTES = 16 << 20,		/* packed */
	INTERFACE_MAX_WHOLE = 128 << 20,	/* unpacked */
	INTERFACE_MAX_FACTS = 8 << 20,		/* the facts of a file */
	INTERFACE_MAX_MEMORY = 256 << 20	/* of all facts */
};

/*
 * Stores the packages of an index in *out, in `a`, by ecosystem and folder.  `cache` belongs to the
 * same index (interface_cache.h).  The same content yields the same hashes on every machine; a
 * change of a body changes none.
 */
int package_interfaces_list(struct db *index, struct db *cache, struct arena *a,
    struct interface_ref **out, size_t *n, struct err *);

/* A package with its files, by path, without their facts. */
struct package_contents {
	struct interface_ref ref;
	const struct interface_file *files;
	size_t n;
};

/* The same packages with their files. */
int package_interfaces_contents(struct db *index, struct db *cache, struct arena *a,
    struct package_contents **out, size_t *n, struct err *);

/*
 * The packed interface with that hash; empty if it is none of the index.  In `a`.
 */
int package_interface_pack(struct db *index, struct db *cache, const char *hash, struct arena *a,
    struct bytes *out, struct err *);

/*
 * Unpacks an interface, which may come from another machine: INVALID_INPUT if its bytes are
 * damaged, do not have that hash, or are more than INTERFACE_MAX_WHOLE when unpacked.
 */
int interface_unpack(
    struct bytes packed, const char *hash, struct arena *, struct interface *out, struct err *);

/* Packs an interface, in `a`; `hash` is what identifies it. */
void interface_pack(
    const struct interface *, struct arena *a, struct bytes *out, char hash[SHA256_HEX]);

/* Checks all that an interface contains; INVALID_INPUT names what is wrong. */
int interface_check(const struct interface *, struct err *);
#endif
