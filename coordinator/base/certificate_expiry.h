#ifndef COORDINATOR_BASE_CERTIFICATE_EXPIRY_H
#define COORDINATOR_BASE_CERTIFICATE_EXPIRY_H
/* When the coordinator's own certificates expire. */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct coordinator_config;

struct certificate_expiry {
	const char *what;	/* the option that names the file: tls-ca | tls-cert | http-cert */
	int64_t until;		/* seconds since 1970; of the first certificate in the file to expire */
};

/* The certificates that are configured and readable.  Reads the files each time. */
struct certificate_expiry *certificates_expiring(
    const struct coordinator_config *, struct arena *, size_t *n);
#endif
