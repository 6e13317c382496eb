#include "shard/base/replica_identity.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/net/crypto.h"
#include "shard/base/options.h"

static const char *or_null(const char *s)
{
	return *s ? s : NULL;
}

int identity_trust(struct wire_trust *t, const struct options *o, struct arena *a, struct err *e)
{
	*t = (struct wire_trust){ or_null(o->tls_ca), or_null(o->tls_cert), or_null(o->tls_key),
		or_null(o->cluster_key), or_null(o->cluster_key_file) };
	return !t->key_file || options_read_secret("cluster-key-file", t->key_file, a, e) ? 0 : -1;
}

const char *identity_host(const struct options *o, struct arena *a)
{
	char host[256] = "localhost";

	gethostname(host, sizeof host - 1);
	return *o->host ? o->host : arena_str(a, host);
}

const char *identity_replica(const struct options *o, const char *data, struct arena *a)
{
	char hex[SHA256_HEX], real[4096];
	const char *dir = realpath(data, real) ? real : data;

	crypto_sha256(dir, strlen(dir), hex);
	return *o->replica ? o->replica : arena_printf(a, "%s-%.6s", identity_host(o, a), hex);
}
