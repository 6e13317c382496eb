#ifndef PROTO_NET_CERTIFICATES_H
#define PROTO_NET_CERTIFICATES_H
/*
 * Certificates of a private CA, as PEM files: creating them, and reading what people want to know
 * about them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

/* CERTS_RENEW_BEFORE: how many seconds before it expires a certificate should be renewed. */
enum { CERTS_CA_DAYS = 3650, CERTS_DAYS = 365, CERTS_RENEW_BEFORE = 30 * 86400 };

/*
 * Create a CA (P-256) in the files `cert` and `key`, mode 0600, which must not exist yet.  0, or -1
 * with INVALID_INPUT, naming the file; a failure leaves no file behind.
 */
int certs_create_ca(const char *cert, const char *key, int64_t days, struct err *e);

/*
 * Issue a certificate for both ends of mutual TLS, signed by the CA at ca_cert and ca_key, for `n`
 * host names and addresses: all become subjectAltNames, the first also the common name.  It is
 * valid for `days` from an hour ago, at most as long as its CA.  Existing files are an error, or
 * with `renew` are replaced, the key first: a reader in between finds a pair that does not match
 * and must read again.
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
