#include "coordinator/base/certificate_expiry.h"

#include "coordinator/base/options.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/net/certificates.h"

struct certificate_expiry *certificates_expiring(
    const struct coordinator_config *o, struct arena *a, size_t *n)
{
	const struct { const char *what, *file; } files[] = {
		{ "tls-ca", o->tls_ca }, { "tls-cert", o->tls_cert }, { "http-cert", o->http_cert },
	};
	struct certificate_expiry *out = arena_many(a, LEN(files), struct certificate_expiry);

	*n = 0;
	for (size_t i = 0; i < LEN(files); i++) {
		struct cert *v;
		size_t k;
		if (!*files[i].file || certs_read(files[i].file, &v, &k, a, NULL))
			continue;
		out[*n] = (struct certificate_expiry){ files[i].what, v[0].until };
		for (size_t j = 1; j < k; j++)
			out[*n].until = MIN(v[j].until, out[*n].until);
		++*n;
	}
	return out;
}
