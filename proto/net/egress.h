#ifndef PROTO_NET_EGRESS_H
#define PROTO_NET_EGRESS_H
/*
 * Where requests may go: the one rule for sources (repositories that are mirrored), the embedder
 * and the language model.
 *
 * Who named the address counts.  The operator (environment, command line, whoever reaches a
 * coordinator without tokens, the token of
 * --bootstrap-token-file) may name all but link-local addresses over HTTP, where clouds answer with
 * credentials.  What a token of the registry adds has one of --source-schemes and leads neither to
 * this machine nor to link-local addresses.  Addresses are looked at after names are resolved, and
 * the one that was looked at is the one that is dialled.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "proto/process/options.h"

struct arena;
struct err;

struct egress_policy {
	bool token;          /* a token named the address, not the operator */
	struct string_list schemes; /* then: those that it may have */
	bool local;          /* then: this machine, too */
	bool public_only;    /* then: no private addresses */
	bool link_local;     /* link-local ones, too */
};

/* The options of a program (egress.def), before there are threads.  Without this call it is as they
 * are by default. */
void egress_init(const struct egress_policy *);
#define EGRESS_POLICY(o)                                                                               \
	(struct egress_policy)                                                                            \
	{                                                                                          \
		.schemes = (o)->source_schemes, .local = (o)->allow_local_sources,                 \
		.public_only = (o)->public_sources_only, .link_local = (o)->allow_link_local       \
	}

/* What holds for an address that a token named, or the operator. */
const struct egress_policy *egress_policy_of(bool token);

/* A source in parts. */
struct egress_target {
	const char *scheme; /* https http ssh git; file: a path of this machine, or a URL of one */
	const char *host;   /* without brackets; "" of a path */
	const char *port;   /* as digits, the scheme's own when none is written; "" of a path */
	bool literal;       /* the host is an IPv6 address in brackets */
	bool has_port;      /* the URL writes one */
};

/*
 * Take a source apart; nothing of it is asked.  INVALID_INPUT, for whoever named it: a helper
 * (`ext::`), another scheme, a leading dash, white space, control characters, backslashes (paths of
 * this machine may have spaces).
 */
int egress_parse(const char *source, struct egress_target *, struct arena *, struct err *);

/* Whether a source may be added, as far as it says itself: INVALID_INPUT as above, FORBIDDEN with
 * the option that would admit it. */
int egress_check_source(
    const struct egress_policy *, const char *source, struct arena *, struct err *);

/* NULL: it may be dialled; else what it is, as "loopback". */
const char *egress_refusal(const struct egress_policy *, const struct sockaddr *);

/* Say so of `where`; names the option that would admit it.  Always -1, with FORBIDDEN. */
int egress_set_refusal(
    const struct egress_policy *, const char *where, const char *what, struct err *);

enum { EGRESS_ADDRESSES = 8, EGRESS_TEXT = 46 };

/* What a name stands for, as text, as far as it is looked at. */
struct egress_addresses {
	char v[EGRESS_ADDRESSES][EGRESS_TEXT];
	size_t n;
};

/*
 * Resolve the host of a source and look at each address; blocks.  FORBIDDEN when one of them is
 * refused, UNAVAILABLE when there is none.
 */
int egress_resolve(const struct egress_policy *, const struct egress_target *,
    struct egress_addresses *, struct err *);

/* Whether a proxy of the environment makes the connections of this scheme: names are its to resolve
 * then. */
bool egress_uses_proxy(const char *scheme);
#endif
