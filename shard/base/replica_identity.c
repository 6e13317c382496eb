#include "shard/base/replica_identity.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/optional_text.h"
#include "proto/net/crypto.h"
#include "shard/base/options.h"

int identity_trust(struct wire_trust *t, const struct options *o, struct arena *a, struct err *e)
{
	*t = (struct wire_trust){ text_or_null(o->tls_ca), text_or_null(o->tls_cert),
		text_or_null(o->tls_key), text_or_null(o->cluster_key), text_or_null(o->cluster_key_file) };
	if (t->key_file && !options_read_secret("cluster-key-file", t->key_file, a, e))
		return -1;
	return 0;
}

const char *identity_host(const struct options *o, struct arena *a)
{
	char host[256] = "localhost";

	if (*o->host)
		return o->host;
	gethostname(host, sizeof host - 1);
	return arena_str(a, host);
}

const char *identity_replica(const struct options *o, const char *data, struct arena *a)
{
	char hex[SHA256_HEX], real[4096];
	const char *dir = data;

	if (*o->replica)
		return o->replica;
	if (realpath(data, real))
		dir = real;
	crypto_sha256(dir, strlen(dir), hex);
	return arena_printf(a, "%s-%.6s", identity_host(o, a), hex);
}
