#ifndef SHARD_GIT_ADDRESS_PINS_H
#define SHARD_GIT_ADDRESS_PINS_H
/* What git is told so that it dials the addresses that were looked at (proto/net/egress.h), and no
 * others. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

struct address_pins {
	struct {
		const char *key, *value;
	} v[4]; /* settings of git */
	size_t n;
	const char *ssh;          /* further options of ssh; NULL: none */
	const char *virtual_host; /* that git:// asks for; NULL: as its URL says */
};

/*
 * Of a URL that the operator named nothing is looked at.  One that a token named is looked at and
 * resolved now: INVALID_INPUT, FORBIDDEN, UNAVAILABLE (it has no address).  Redirects are not
 * followed then.
 */
int address_pins_resolve(
    struct address_pins *, const char *url, bool from_token, struct arena *, struct err *);
#endif
