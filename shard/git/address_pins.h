#ifndef SHARD_GIT_ADDRESS_PINS_H
#define SHARD_GIT_ADDRESS_PINS_H
/*
 * Settings that make git dial only the addresses that were checked (proto/net/egress.h).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

struct address_pins {
	struct {
		const char *key, *value;
	} v[4]; /* git settings */
	size_t n;
	const char *ssh;          /* extra options for ssh; NULL if there are none */
	const char *virtual_host; /* host name that git:// sends; NULL: the host in the URL */
};

/*
 * A URL that the operator configured is neither resolved nor pinned.  A URL that was added with a
 * token is checked and resolved now.  Errors: INVALID_INPUT; FORBIDDEN; UNAVAILABLE if the host has
 * no address.  The strings live in the arena.
 */
int address_pins_resolve(
    struct address_pins *, const char *url, bool from_token, struct arena *, struct err *);
#endif
