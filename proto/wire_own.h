#ifndef PROTO_WIRE_OWN_H
#define PROTO_WIRE_OWN_H
/* What the two halves of wire share: wire.c asks, wire_server.c answers.  Nobody else includes this. */

#include <nng/nng.h>
#include <nng/supplemental/tls/tls.h>
#include <stdbool.h>

struct err;
struct wire_trust;

/* Before anything else of nng. */
void wire_start(void);

/* `p`, or the end of the program: out of memory. */
void *wire_must(void *p);

bool wire_is_tls(const char *url);

/* Mutual TLS of a listener or dialer; the caller frees it.  NULL with INVALID_INPUT that names the files. */
nng_tls_config *wire_tls(nng_tls_mode, const struct wire_trust *, struct err *);

/* The failure `rc` of an address: taken (UNAVAILABLE) or wrong (INVALID_INPUT).  Always -1. */
int wire_bad_address(int rc, const char *what, const char *url, struct err *);
#endif
