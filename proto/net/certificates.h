#ifndef PROTO_NET_CERTIFICATES_H
#define PROTO_NET_CERTIFICATES_H
/*
 * Certificates of a CA of one's own, as PEM files: made, and read for what people want to know of
 * them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

/* CERTS_RENEW_BEFORE: seconds before its end in which it is time to renew. */
enum { CERTS_CA_DAYS = 3650, CERTS_DAYS = 365, CERTS_RENEW_BEFORE = 30 * 86400 };

/*
 * A CA: `cert` and `key` are files that must not be there yet, mode 0600 (P-256).  INVALID_INPUT
 * with `e` that names the file; nothing is left of a failure.
 */
int certs_create_ca(const char *cert, const char *key, int64_t days, struct err *e);

/*
 * A certificate for both ends of mutual TLS, signed by the CA at ca_cert and ca_key, for `n`
 * names: host names and addresses, all of them as subjectAltName, the first also as its common
 * name.  It holds for `days` from an hour ago, no longer than its CA.  Files that are there are
 * refused, or with `renew` replaced, the key first: who reads both at another time finds a pair
 * that does not fit, and must read again.
 */
int certs_issue(const char *ca_cert, const char *ca_key, const char *cert, const char *key,
    const char *const *names, size_t n, int64_t days, bool renew, struct err *e);

struct cert {
	const char *subject;	/* common name */
	const char *issuer;
	const char *names;	/* subjectAltName, separated by commas */
	bool ca;
	int64_t from, until;	/* seconds since 1970 */
};

/* All certificates of a PEM file, at least one.  -1 with `e` (INVALID_INPUT, naming the file). */
int certs_read(const char *path, struct cert **v, size_t *n, struct arena *, struct err *e);
#endif
