#ifndef PROTO_NET_CRYPTO_H
#define PROTO_NET_CRYPTO_H
/* Hashes, random bytes and comparison in constant time.  Thread-safe.  Dies if OpenSSL fails. */

#include <stdbool.h>
#include <stddef.h>

enum { SHA256_HEX = 65 };

/* The lower-case hex SHA-256 of `n` bytes. */
void crypto_sha256(const void *, size_t n, char out[SHA256_HEX]);

/* The same, piece by piece.  crypto_hash_end frees the state. */
struct crypto_hash;
struct crypto_hash *crypto_hash_new(void);
void crypto_hash_put(struct crypto_hash *, const void *, size_t n);
void crypto_hash_end(struct crypto_hash *, char out[SHA256_HEX]);

/* The lower-case hex HMAC-SHA256 (RFC 2104) of `n` bytes under a key. */
void crypto_hmac(const char *key, const void *, size_t n, char out[SHA256_HEX]);

/*
 * HMAC-SHA256 under one key, many times: the state that depends only on the key is computed once.
 * crypto_mac_new's result lives as long as the process, and any thread may use it.
 */
enum { CRYPTO_MAC = 32 };
struct crypto_mac;
struct iovec;
struct crypto_mac *crypto_mac_new(const char *key);
void crypto_mac(
    const struct crypto_mac *, const struct iovec *parts, int n, unsigned char out[CRYPTO_MAC]);

/* Whether `n` bytes are equal, in constant time. */
bool crypto_equal_bytes(const void *, const void *, size_t n);

/* Random bytes. */
void crypto_random(void *, size_t n);

/*
 * Whether two strings are equal.  The time depends on their lengths, not on where they differ.
 * NULL equals nothing.
 */
bool crypto_equal_strings(const char *, const char *);

/* `n` random bytes as 2n hex digits and a NUL. */
void crypto_random_hex(char *out, size_t n);
#endif
