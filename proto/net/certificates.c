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

static FILE *open_pem(const char *path, struct err *e)
{
	FILE *f = fopen(path, "re");

	if (!f)
		bad_file(path, strerror(errno), e);
	return f;
}

static X509 *read_cert(const char *path, struct err *e)
{
	FILE *f = open_pem(path, e);

	if (!f)
		return NULL;
	X509 *x = PEM_read_X509(f, NULL, NULL, NULL);
	if (!x)
		bad_file(path, "it holds no certificate in PEM", e);
	fclose(f);
	return x;
}

static EVP_PKEY *read_key(const char *path, struct err *e)
{
	FILE *f = open_pem(path, e);

	if (!f)
		return NULL;
	EVP_PKEY *k = PEM_read_PrivateKey(f, NULL, NULL, NULL);
	if (!k)
		bad_file(path, "it holds no private key in PEM", e);
	fclose(f);
	return k;
}

static int refuse_existing(const char *path, struct err *e)
{
	if (access(path, F_OK))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "%s already exists", path);
	return err_hint(
	    e, "Files are never overwritten: use another folder or name, or `certs issue --renew`.");
}

/* Writes a new file with mode 0600.  -1 with errno. */
static int write_private(const char *path, const char *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	bool written = write(fd, p, n) == (ssize_t)n && !fsync(fd);
	if (close(fd) || !written)
		return -1;
	return 0;
}

/* Writes a temporary file beside `path`, and renames it. */
static int put(const char *path, BIO *pem, struct err *e)
{
	char tmp[4200], *p;
	long n = BIO_get_mem_data(pem, &p);

	snprintf(tmp, sizeof tmp, "%.4100s.tmp", path);
	unlink(tmp);
	if (!write_private(tmp, p, (size_t)n) && !rename(tmp, path))
		return 0;
	err_set(e, ERR_INVALID_INPUT, "%s cannot be written: %s", path, strerror(errno));
	unlink(tmp);
	return -1;
}

/* Writes the key first: a certificate without its key is useless. */
static int put_pair(
    const char *cert, X509 *x, const char *key, EVP_PKEY *k, bool renew, struct err *e)
{
	BIO *pem = BIO_new(BIO_s_mem()), *secret = BIO_new(BIO_s_secmem());

	if (!PEM_write_bio_X509(pem, x) ||
	    !PEM_write_bio_PKCS8PrivateKey(secret, k, NULL, NULL, 0, NULL, NULL))
		die("OpenSSL cannot allocate or sign");
	int rc = put(key, secret, e);
	if (!rc) {
		rc = put(cert, pem, e);
		if (rc && !renew)
			unlink(key);
	}
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

static void add_extension(X509 *x, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;

	X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
	X509_EXTENSION *ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
	if (!ext)
		die("OpenSSL cannot allocate or sign");
	X509_add_ext(x, ext, -1);
	X509_EXTENSION_free(ext);
}

/* Appends a name to a subjectAltName in the syntax of OpenSSL's configuration files. */
static int put_alt_name(struct buf *b, const char *name, struct err *e)
{
	if (b->n)
		buf_byte(b, ',');
	if (is_address(name))
		buf_printf(b, "IP:%s", name);
	else if (is_name(name))
		buf_printf(b, "DNS:%s", name);
	else
		return err_set(
		    e, ERR_INVALID_INPUT, "`%.100s` is neither a host name nor an address", name);
	return 0;
}

static int add_names(X509 *x, const char *const *names, size_t n, struct err *e)
{
	struct buf b = { 0 };
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++)
		rc = put_alt_name(&b, names[i], e);
	if (!rc)
		add_extension(x, NULL, NID_subject_alt_name, b.p);
	buf_free(&b);
	return rc;
}

/* A certificate with serial number, validity, name and key, but without a signature. */
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

	if (refuse_existing(cert, e) || refuse_existing(key, e))
		return -1;
	if (RAND_bytes(mark, sizeof mark) != 1)
		die("no random numbers");
	/* so that two CAs in one bundle have different names */
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
		return bad_file(path, "it is not the certificate of the CA's key", e);
	if (X509_cmp_current_time(X509_get0_notAfter(ca)) < 0)
		return bad_file(path, "the CA has expired; create a new one with `atoll certs init`", e);
	return 0;
}

struct certificate_authority {
	X509 *cert;
	EVP_PKEY *key;
};

static int read_ca(
    const char *cert, const char *key, struct certificate_authority *ca, struct err *e)
{
	ca->cert = read_cert(cert, e);
	if (!ca->cert)
		return -1;
	ca->key = read_key(key, e);
	if (!ca->key)
		return -1;
	return check_ca(cert, ca->cert, ca->key, e);
}

static int issue(const struct certificate_authority *ca, const char *cert, const char *key,
    const char *const *names, size_t n, int64_t days, bool renew, struct err *e)
{
	EVP_PKEY *k = new_key();
	X509 *x = sign_for(ca->cert, ca->key, k, names, n, days, e);
	int rc = -1;

	if (x)
		rc = put_pair(cert, x, key, k, renew, e);
	X509_free(x);
	EVP_PKEY_free(k);
	return rc;
}

int certs_issue(const char *ca_cert, const char *ca_key, const char *cert, const char *key,
    const char *const *names, size_t n, int64_t days, bool renew, struct err *e)
{
	struct certificate_authority ca = { 0 };

	if (!renew && (refuse_existing(cert, e) || refuse_existing(key, e)))
		return -1;
	int rc = read_ca(ca_cert, ca_key, &ca, e);
	if (!rc)
		rc = issue(&ca, cert, key, names, n, days, renew, e);
	X509_free(ca.cert);
	EVP_PKEY_free(ca.key);
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
	const char *all = "", *comma = "";

	for (int i = 0; v && i < sk_GENERAL_NAME_num(v); i++) {
		const char *one = alt_name(sk_GENERAL_NAME_value(v, i), a);
		if (!one)
			continue;
		if (*all)
			comma = ",";
		all = arena_printf(a, "%s%s%s", all, comma, one);
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

static struct cert describe(X509 *x, struct arena *a)
{
	return (struct cert){
		.subject = common_name(X509_get_subject_name(x), a),
		.issuer = common_name(X509_get_issuer_name(x), a),
		.names = alt_names(x, a),
		.ca = X509_check_ca(x) != 0,
		.from = seconds(X509_get0_notBefore(x)),
		.until = seconds(X509_get0_notAfter(x)),
	};
}

int certs_read(const char *path, struct cert **v, size_t *n, struct arena *a, struct err *e)
{
	size_t cap = 0;
	struct cert *all = NULL;

	*v = NULL;
	*n = 0;
	FILE *f = open_pem(path, e);
	if (!f)
		return -1;
	for (;;) {
		X509 *x = PEM_read_X509(f, NULL, NULL, NULL);
		if (!x)
			break;
		all = grow(all, &cap, *n + 1, sizeof *all);
		all[(*n)++] = describe(x, a);
		X509_free(x);
	}
	fclose(f);
	if (!*n)
		return bad_file(path, "it holds no certificate in PEM", e);
	*v = arena_many(a, *n, struct cert);
	memcpy(*v, all, *n * sizeof *all);
	free(all);
	return 0;
}
