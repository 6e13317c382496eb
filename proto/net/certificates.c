#include "proto/net/certificates.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"

enum { EARLY = 3600, SERIAL_BYTES = 16, CN_MAX = 64 };

/* ---- files ---- */

static int bad_file(const char *path, const char *what, struct err *e)
{
	return err_set(e, ERR_INVALID_INPUT, "%s: %s", path, what);
}

static X509 *read_cert(const char *path, struct err *e)
{
	FILE *f = fopen(path, "re");
	X509 *x = NULL;

	if (f)
		x = PEM_read_X509(f, NULL, NULL, NULL);
	if (!x)
		bad_file(path, f ? "no certificate in PEM" : strerror(errno), e);
	if (f)
		fclose(f);
	return x;
}

static EVP_PKEY *read_key(const char *path, struct err *e)
{
	FILE *f = fopen(path, "re");
	EVP_PKEY *k = NULL;

	if (f)
		k = PEM_read_PrivateKey(f, NULL, NULL, NULL);
	if (!k)
		bad_file(path, f ? "no private key in PEM" : strerror(errno), e);
	if (f)
		fclose(f);
	return k;
}

static int exists(const char *path, struct err *e)
{
	if (access(path, F_OK))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "%s is there already", path);
	return err_hint(
	    e, "It is never overwritten: take another folder or name, or `certs issue --renew`.");
}

/* Written beside its place, mode 0600 from the first byte on, and moved there. */
static int put(const char *path, BIO *pem, struct err *e)
{
	char tmp[4200], *p;
	long n = BIO_get_mem_data(pem, &p);

	snprintf(tmp, sizeof tmp, "%.4100s.tmp", path);
	unlink(tmp);
	int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good = fd >= 0 && write(fd, p, (size_t)n) == n && !fsync(fd);
	if (fd >= 0 && close(fd))
		good = false;
	if (good && !rename(tmp, path))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "%s cannot be written: %s", path, strerror(errno));
	unlink(tmp);
	return -1;
}

/* Key first: a certificate without its key is of no use. */
static int put_pair(
    const char *cert, X509 *x, const char *key, EVP_PKEY *k, bool renew, struct err *e)
{
	BIO *pem = BIO_new(BIO_s_mem()), *secret = BIO_new(BIO_s_secmem());

	if (!PEM_write_bio_X509(pem, x) ||
	    !PEM_write_bio_PKCS8PrivateKey(secret, k, NULL, NULL, 0, NULL, NULL))
		die("OpenSSL cannot allocate or sign");
	int rc = put(key, secret, e);
	if (!rc && (rc = put(cert, pem, e)) && !renew)
		unlink(key);
	BIO_free(pem);
	BIO_free(secret);
	return rc;
}

/* ---- making ---- */

static bool is_address(const char *name)
{
	unsigned char raw[16];

	return inet_pton(AF_INET, name, raw) == 1 || inet_pton(AF_INET6, name, raw) == 1;
}

static bool is_name(const char *name)
{
	size_t n = strlen(name);

	return n && n <= 253 &&
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_*") == n;
}

static int add_extension(X509 *x, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;
	X509_EXTENSION *ext;

	X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
	if (!(ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value)))
		die("OpenSSL cannot allocate or sign");
	X509_add_ext(x, ext, -1);
	X509_EXTENSION_free(ext);
	return 0;
}

static int add_names(X509 *x, const char *const *names, size_t n, struct err *e)
{
	struct buf b = { 0 };
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		bool address = is_address(names[i]);
		if (!address && !is_name(names[i]))
			rc = err_set(
			    e, ERR_INVALID_INPUT, "`%.100s` is neither a host name nor an address", names[i]);
		else
			buf_printf(&b, "%s%s:%s", i ? "," : "", address ? "IP" : "DNS", names[i]);
	}
	if (!rc)
		add_extension(x, NULL, NID_subject_alt_name, b.p);
	buf_free(&b);
	return rc;
}

/* With a number, times, a name and a key; signed by nobody yet. */
static X509 *new_unsigned_cert(const char *common_name, EVP_PKEY *k, int64_t days)
{
	unsigned char serial[SERIAL_BYTES];
	X509 *x = X509_new();
	BIGNUM *number;

	if (!x || RAND_bytes(serial, sizeof serial) != 1)
		die("no random numbers");
	serial[0] &= 0x7f;
	serial[0] |= 0x40;
	number = BN_bin2bn(serial, sizeof serial, NULL);
	BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x));
	BN_free(number);
	X509_set_version(x, X509_VERSION_3);
	X509_gmtime_adj(X509_getm_notBefore(x), -EARLY);
	X509_time_adj_ex(X509_getm_notAfter(x), (int)days, 0, NULL);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
	    (const unsigned char *)common_name, (int)strnlen(common_name, CN_MAX), -1, 0);
	X509_set_pubkey(x, k);
	return x;
}

static EVP_PKEY *new_key(void)
{
	EVP_PKEY *k = EVP_EC_gen("P-256");

	if (!k)
		die("OpenSSL cannot allocate or sign");
	return k;
}

int certs_create_ca(const char *cert, const char *key, int64_t days, struct err *e)
{
	char name[64];
	unsigned char mark[3];

	if (exists(cert, e) || exists(key, e))
		return -1;
	if (RAND_bytes(mark, sizeof mark) != 1)
		die("no random numbers");
	/* two in one bundle have two names */
	snprintf(name, sizeof name, "Atoll CA %02x%02x%02x", mark[0], mark[1], mark[2]);
	EVP_PKEY *k = new_key();
	X509 *x = new_unsigned_cert(name, k, days);
	X509_set_issuer_name(x, X509_get_subject_name(x));
	add_extension(x, x, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
	add_extension(x, x, NID_key_usage, "critical,keyCertSign,cRLSign");
	add_extension(x, x, NID_subject_key_identifier, "hash");
	if (!X509_sign(x, k, EVP_sha256()))
		die("OpenSSL cannot allocate or sign");
	int rc = put_pair(cert, x, key, k, false, e);
	X509_free(x);
	EVP_PKEY_free(k);
	return rc;
}

static X509 *sign_for(X509 *ca, EVP_PKEY *ca_key, EVP_PKEY *k, const char *const *names, size_t n,
    int64_t days, struct err *e)
{
	X509 *x = new_unsigned_cert(names[0], k, days);

	if (add_names(x, names, n, e)) {
		X509_free(x);
		return NULL;
	}
	if (ASN1_TIME_compare(X509_get0_notAfter(x), X509_get0_notAfter(ca)) > 0)
		X509_set1_notAfter(x, X509_get0_notAfter(ca));
	X509_set_issuer_name(x, X509_get_subject_name(ca));
	add_extension(x, ca, NID_basic_constraints, "critical,CA:FALSE");
	add_extension(x, ca, NID_key_usage, "critical,digitalSignature");
	add_extension(x, ca, NID_ext_key_usage, "serverAuth,clientAuth");
	add_extension(x, ca, NID_subject_key_identifier, "hash");
	add_extension(x, ca, NID_authority_key_identifier, "keyid");
	if (!X509_sign(x, ca_key, EVP_sha256()))
		die("OpenSSL cannot allocate or sign");
	return x;
}

static int check_ca(const char *path, X509 *ca, EVP_PKEY *key, struct err *e)
{
	if (X509_check_private_key(ca, key) != 1)
		return bad_file(path, "is not the certificate of the CA's key", e);
	if (X509_cmp_current_time(X509_get0_notAfter(ca)) < 0)
		return bad_file(path, "the CA has expired; begin a new one with `atoll certs init`", e);
	return 0;
}

int certs_issue(const char *ca_cert, const char *ca_key, const char *cert, const char *key,
    const char *const *names, size_t n, int64_t days, bool renew, struct err *e)
{
	X509 *ca = NULL, *x = NULL;
	EVP_PKEY *signer = NULL, *k = NULL;
	int rc = -1;

	if (!renew && (exists(cert, e) || exists(key, e)))
		return -1;
	if ((ca = read_cert(ca_cert, e)) && (signer = read_key(ca_key, e)) &&
	    !check_ca(ca_cert, ca, signer, e)) {
		k = new_key();
		if ((x = sign_for(ca, signer, k, names, n, days, e)))
			rc = put_pair(cert, x, key, k, renew, e);
	}
	X509_free(ca);
	X509_free(x);
	EVP_PKEY_free(signer);
	EVP_PKEY_free(k);
	return rc;
}

/* ---- reading ---- */

static const char *common_name(const X509_NAME *name, struct arena *a)
{
	char text[256] = "";

	X509_NAME_get_text_by_NID((X509_NAME *)name, NID_commonName, text, sizeof text);
	return arena_str(a, text);
}

static const char *alt_name(const GENERAL_NAME *g, struct arena *a)
{
	char text[INET6_ADDRSTRLEN] = "";

	if (g->type == GEN_DNS)
		return arena_strn(a, (const char *)ASN1_STRING_get0_data(g->d.dNSName),
		    (size_t)ASN1_STRING_length(g->d.dNSName));
	if (g->type != GEN_IPADD)
		return NULL;
	int family = AF_INET6;
	if (ASN1_STRING_length(g->d.iPAddress) == 4)
		family = AF_INET;
	if (inet_ntop(family, ASN1_STRING_get0_data(g->d.iPAddress), text, sizeof text))
		return arena_str(a, text);
	return NULL;
}

static const char *alt_names(X509 *x, struct arena *a)
{
	GENERAL_NAMES *v = X509_get_ext_d2i(x, NID_subject_alt_name, NULL, NULL);
	const char *all = "";

	for (int i = 0; v && i < sk_GENERAL_NAME_num(v); i++) {
		const char *one = alt_name(sk_GENERAL_NAME_value(v, i), a);
		if (one)
			all = arena_printf(a, "%s%s%s", all, *all ? "," : "", one);
	}
	GENERAL_NAMES_free(v);
	return all;
}

static int64_t seconds(const ASN1_TIME *t)
{
	struct tm tm;

	if (ASN1_TIME_to_tm(t, &tm))
		return (int64_t)timegm(&tm);
	return 0;
}

int certs_read(const char *path, struct cert **v, size_t *n, struct arena *a, struct err *e)
{
	FILE *f = fopen(path, "re");
	size_t cap = 0;
	struct cert *all = NULL;
	X509 *x;

	*n = 0;
	while (f && (x = PEM_read_X509(f, NULL, NULL, NULL))) {
		all = grow(all, &cap, *n + 1, sizeof *all);
		all[(*n)++] = (struct cert){
			common_name(X509_get_subject_name(x), a),
			common_name(X509_get_issuer_name(x), a),
			alt_names(x, a),
			X509_check_ca(x) != 0,
			seconds(X509_get0_notBefore(x)),
			seconds(X509_get0_notAfter(x)),
		};
		X509_free(x);
	}
	int bad = 0;
	if (!*n)
		bad = bad_file(path, f ? "no certificate in PEM" : strerror(errno), e);
	if (f)
		fclose(f);
	*v = arena_many(a, *n + 1, struct cert);
	for (size_t i = 0; i < *n; i++)
		(*v)[i] = all[i];
	free(all);
	return bad;
}
