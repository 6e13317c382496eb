#include "proto/net/crypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "proto/base/die.h"
#include "proto/base/minmax.h"

static void hex(const uint8_t *p, size_t n, char *out)
{
	for (size_t i = 0; i < n; i++) {
		*out++ = "0123456789abcdef"[p[i] >> 4];
		*out++ = "0123456789abcdef"[p[i] & 15];
	}
	*out = 0;
}

struct crypto_hash {
	EVP_MD_CTX *ctx;
};

static EVP_MD *sha256;		/* fetched once: with EVP_sha256() OpenSSL searches for it each time */

static void find_sha256(void)
{
	sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
}

struct crypto_hash *crypto_hash_new(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct crypto_hash *h = xmalloc(sizeof *h);

	pthread_once(&once, find_sha256);
	h->ctx = EVP_MD_CTX_new();
	if (!h->ctx || !EVP_DigestInit_ex(h->ctx, sha256, NULL))
		die("OpenSSL cannot allocate or hash");
	return h;
}

void crypto_hash_put(struct crypto_hash *h, const void *p, size_t n)
{
	EVP_DigestUpdate(h->ctx, p, n);
}

void crypto_hash_end(struct crypto_hash *h, char out[SHA256_HEX])
{
	uint8_t md[32];

	EVP_DigestFinal_ex(h->ctx, md, NULL);
	hex(md, sizeof md, out);
	EVP_MD_CTX_free(h->ctx);
	free(h);
}

void crypto_sha256(const void *p, size_t n, char out[SHA256_HEX])
{
	struct crypto_hash *h = crypto_hash_new();

	crypto_hash_put(h, p, n);
	crypto_hash_end(h, out);
}

void crypto_hmac(const char *key, const void *p, size_t n, char out[SHA256_HEX])
{
	uint8_t md[32];

	if (!HMAC(EVP_sha256(), key, (int)strlen(key), p, n, md, NULL))
		die("OpenSSL cannot allocate or sign");
	hex(md, sizeof md, out);
}

struct crypto_mac {
	EVP_MD_CTX *inner, *outer;	/* RFC 2104, each after its block with the key */
};

static EVP_MD_CTX *mac_state_after_key(const uint8_t key[64], uint8_t pad)
{
	EVP_MD_CTX *c = EVP_MD_CTX_new();
	uint8_t block[64];

	for (size_t i = 0; i < sizeof block; i++)
		block[i] = key[i] ^ pad;
	if (!c || !EVP_DigestInit_ex(c, EVP_sha256(), NULL) ||
	    !EVP_DigestUpdate(c, block, sizeof block))
		die("OpenSSL cannot allocate or sign");
	OPENSSL_cleanse(block, sizeof block);
	return c;
}

struct crypto_mac *crypto_mac_new(const char *key)
{
	struct crypto_mac *m = xmalloc(sizeof *m);
	uint8_t block[64] = { 0 };
	size_t n = strlen(key);

	if (n > sizeof block)
		EVP_Digest(key, n, block, NULL, EVP_sha256(), NULL);
	else
		memcpy(block, key, n);
	m->inner = mac_state_after_key(block, 0x36);
	m->outer = mac_state_after_key(block, 0x5c);
	OPENSSL_cleanse(block, sizeof block);
	return m;
}

void crypto_mac(
    const struct crypto_mac *m, const struct iovec *v, int n, unsigned char out[CRYPTO_MAC])
{
	EVP_MD_CTX *c = EVP_MD_CTX_new();

	if (!c || !EVP_MD_CTX_copy_ex(c, m->inner))
		die("OpenSSL cannot allocate or sign");
	for (int i = 0; i < n; i++)
		EVP_DigestUpdate(c, v[i].iov_base, v[i].iov_len);
	if (!EVP_DigestFinal_ex(c, out, NULL) || !EVP_MD_CTX_copy_ex(c, m->outer) ||
	    !EVP_DigestUpdate(c, out, CRYPTO_MAC) || !EVP_DigestFinal_ex(c, out, NULL))
		die("OpenSSL cannot allocate or sign");
	EVP_MD_CTX_free(c);
}

bool crypto_equal_bytes(const void *a, const void *b, size_t n)
{
	return !CRYPTO_memcmp(a, b, n);
}

void crypto_random(void *out, size_t n)
{
	if (RAND_bytes(out, (int)n) != 1)
		die("no random numbers");
}

bool crypto_equal_strings(const char *a, const char *b)
{
	if (!a || !b)
		return false;
	size_t n = strlen(a);
	return n == strlen(b) && !CRYPTO_memcmp(a, b, n);
}

void crypto_random_hex(char *out, size_t n)
{
	uint8_t raw[64];

	while (n) {
		size_t k = MIN(n, sizeof raw);
		if (RAND_bytes(raw, (int)k) != 1)
			die("no random numbers");
		hex(raw, k, out);
		out += 2 * k;
		n -= k;
	}
}
