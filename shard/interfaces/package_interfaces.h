#ifndef SHARD_INTERFACES_PACKAGE_INTERFACES_H
#define SHARD_INTERFACES_PACKAGE_INTERFACES_H
/*
 * The packages that a repository publishes, and the interface of each: what code of other
 * repositories can see of it.  Made from the index, without a build.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/net/crypto.h"
#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/* Larger interfaces are left out: nobody could take them in. */
enum { INTERFACE_MAX_BYTES = 16 << 20, INTERFACE_MAX_WHOLE = 256 << 20 };

struct package_interface {
	const char *ecosystem;		/* as in the record `package`; of C and others: the family */
	const char *name;		/* NULL: no package is declared; it is the whole repository */
	const char *version;		/* or NULL */
	const char *folder;		/* "" is the root */
	const char *too_large;		/* why there are no bytes, or NULL */
	size_t files;
	void *bytes;			/* interface_pack */
	size_t n;
	char hash[SHA256_HEX];		/* of the bytes */
};

/*
 * Stores the interfaces of all packages of an index in *out, in `a`, by ecosystem and folder.  The
 * same content yields the same hashes on every machine; a change of a body changes none.
 */
int package_interfaces_make(
    struct db *, struct arena *a, struct package_interface **out, size_t *n, struct err *);

/*
 * The bytes of an interface may come from another machine: INVALID_INPUT if they are damaged, or
 * larger than INTERFACE_MAX_WHOLE.
 */
int interface_unpack(
    const void *bytes, size_t n, struct arena *, struct interface *out, struct err *);
#endif
