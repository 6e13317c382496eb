#ifndef PROTO_WIRE_WIRE_KEYS_H
#define PROTO_WIRE_WIRE_KEYS_H
/* What wire_proof.c needs from wire_keys.c.  Thread-safe. */

#include <stddef.h>

struct crypto_mac;
struct keyring_key;
struct keyring;

/* The i-th key, or NULL after the last.  Keys live as long as the process. */
const struct keyring_key *keyring_at(struct keyring *, size_t i);

const struct crypto_mac *key_mac(const struct keyring_key *);
#endif
