#ifndef PROTO_NET_EGRESS_H
#define PROTO_NET_EGRESS_H
/*
 * Where outgoing requests may go: the rules for sources (repositories that are mirrored), the
 * embedder and the language model.
 *
 * They depend on who named the address.  The operator (environment, command line, any client of a
 * coordinator without tokens, the token of --bootstrap-token-file) may name any address but
 * link-local ones over HTTP, where clouds serve credentials.  A source that a token of the registry
 * adds must have one of --source-schemes and may lead neither to this machine nor to link-local
 * addresses.  Addresses are checked after names are resolved, and the checked address is the one
 * that is dialled.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "proto/process/options.h"

struct arena;
struct err;

struct egress_policy {
	bool token;                 /* a token named the address, not the operator */
	struct string_list schemes; /* for tokens: the schemes that are allowed */
	bool local;                 /* for tokens: whether this machine is allowed */
	bool public_only;           /* for tokens: whether private addresses are refused */
	bool link_local;            /* whether link-local addresses are allowed */
};

/*
 * Set the policy from a program's options (egress.def).  Call it before starting threads; without
 * the call, the defaults of the options hold.
 */
void egress_init(const struct egress_policy *);
#define EGRESS_POLICY(o) \
	(struct egress_policy){ \
		.schemes = (o)->source_schemes, .local = (o)->allow_local_sources, \
		.public_only = (o)->public_sources_only, .link_local = (o)->allow_link_local, \
	}

/* The policy for an address that a token named, or else the operator. */
const struct egress_policy *egress_policy_of(bool token);

/* The parts of a source. */
struct egress_target {
	const char *scheme; /* https, http, ssh, git; file for a path of this machine or its URL */
	const char *host;   /* without brackets; "" for a path */
	const char *port;   /* digits, by default the scheme's port; "" for a path */
	bool literal;       /* the host is an IPv6 address in brackets */
	bool has_port;      /* the URL contains the port */
};

/*
 * Parse a source without connecting to it.  INVALID_INPUT for a helper (`ext::`), another scheme, a
 * leading dash, white space, control characters and backslashes (paths of this machine may contain
 * spaces), no matter who named it.
 */
int egress_parse(const char *source, struct egress_target *, struct arena *, struct err *);

/*
 * Check whether a source may be added, without resolving its host: 0, or -1 with INVALID_INPUT as
 * above or FORBIDDEN, naming the option that would allow it.
 */
int egress_check_source(
    const struct egress_policy *, const char *source, struct arena *, struct err *);

/* NULL if the address may be dialled, else what it is, such as "loopback". */
const char *egress_refusal(const struct egress_policy *, const struct sockaddr *);

/* Report that refusal for `where`, with the option that would allow it.  Always -1, FORBIDDEN. */
int egress_set_refusal(
    const struct egress_policy *, const char *where, const char *what, struct err *);

enum { EGRESS_ADDRESSES = 8, EGRESS_TEXT = 46 };

/* The addresses of a name, as text, up to a maximum. */
struct egress_addresses {
	char v[EGRESS_ADDRESSES][EGRESS_TEXT];
	size_t n;
};

/*
 * Resolve the host of a source and check each address; blocks.  FORBIDDEN if one of them is
 * refused, UNAVAILABLE if there is none.
 */
int egress_resolve(const struct egress_policy *, const struct egress_target *,
    struct egress_addresses *, struct err *);

/* Whether the environment sets a proxy for this scheme, which then also resolves the names. */
bool egress_uses_proxy(const char *scheme);
#endif
