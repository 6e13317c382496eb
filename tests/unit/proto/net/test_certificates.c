/* Certificates of a private CA, hashes and authentication codes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/net/certificates.h"
#include "proto/net/crypto.h"

static struct arena *a;
static char folder[] = "/tmp/atoll-certs.XXXXXX";

static const char *at(const char *name)
{
	return arena_printf(a, "%s/%s", folder, name);
}

static bool exists(const char *name)
{
	return !access(at(name), F_OK);
}

static int issue(
    const char *name, const char *const *names, size_t n, int64_t days, bool renew, struct err *e)
{
	*e = (struct err){ 0 };
	return certs_issue(at("ca.pem"), at("ca.key"), at(arena_printf(a, "%s.pem", name)),
	    at(arena_printf(a, "%s.key", name)), names, n, days, renew, e);
}

static int mode(const char *name)
{
	struct stat st;

	return stat(at(name), &st) ? -1 : (int)(st.st_mode & 0777);
}

#define NAMES(...)                                                                                 \
	(const char *const[]){ __VA_ARGS__ }, sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)

static void a_ca_and_its_certificates(void **state)
{
	int64_t now = clock_real_ms() / 1000;
	struct err e = { 0 };
	struct cert *v;
	size_t n;

	(void)state;
	assert_int_equal(certs_create_ca(at("ca.pem"), at("ca.key"), 100, &e), 0);
	assert_int_equal(mode("ca.pem"), 0600);
	assert_int_equal(mode("ca.key"), 0600);
	assert_int_equal(certs_read(at("ca.pem"), &v, &n, a, &e), 0);
	assert_int_equal(n, 1);
	assert_true(v->ca);
	assert_int_equal(strncmp(v->subject, "Atoll CA ", 9), 0);
	assert_int_equal(strlen(v->subject), 15);
	assert_string_equal(v->issuer, v->subject);
	assert_string_equal(v->names, "");
	assert_in_range(v->from, now - 3600 - 100, now - 3600 + 100);
	assert_in_range(v->until, now + 100 * 86400 - 100, now + 100 * 86400 + 100);
	const struct cert ca = *v;

	assert_int_equal(
	    issue("host", NAMES("host.example", "10.0.0.1", "*.x_y", "fe80::1"), 10, false, &e), 0);
	assert_int_equal(certs_read(at("host.pem"), &v, &n, a, &e), 0);
	assert_string_equal(v->subject, "host.example");
	assert_string_equal(v->issuer, ca.subject);
	assert_string_equal(v->names, "host.example,10.0.0.1,*.x_y,fe80::1");
	assert_false(v->ca);
	assert_in_range(v->until, now + 10 * 86400 - 100, now + 10 * 86400 + 100);
	assert_int_equal(mode("host.key"), 0600);

	assert_int_equal(issue("late", NAMES("late"), 1000, false, &e), 0); /* no longer than its CA */
	assert_int_equal(certs_read(at("late.pem"), &v, &n, a, &e), 0);
	assert_int_equal(v->until, ca.until);
	char longest[300];
	memset(longest, 'x', 253);
	longest[253] = 0;
	assert_int_equal(issue("longest", NAMES(longest), 1, false, &e), 0);
	assert_int_equal(certs_read(at("longest.pem"), &v, &n, a, &e), 0);
	assert_int_equal(strlen(v->subject), 64); /* a common name may not be longer */
	assert_string_equal(v->names, longest);
	strcat(longest, "x");
	assert_int_equal(issue("longer", NAMES(longest), 1, false, &e), -1);
	assert_false(exists("longer.key"));
	const char *all = arena_printf(a,
	    "cd %s && cat host.pem ca.pem >both.pem && openssl verify -x509_strict -purpose sslserver -CAfile ca.pem host.pem >/dev/null &&"
	    " openssl verify -purpose sslclient -CAfile ca.pem host.pem >/dev/null && ! openssl verify -CAfile host.pem late.pem >/dev/null 2>&1 &&"
	    " test \"$(openssl x509 -in host.pem -noout -serial | wc -c)\" = 40",
	    folder);
	assert_int_equal(system(all), 0);
	assert_int_equal(certs_read(at("both.pem"), &v, &n, a, &e), 0);
	assert_int_equal(n, 2);
	assert_string_equal(v[0].subject, "host.example");
	assert_true(v[1].ca);
}

static void what_is_refused(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(certs_create_ca(at("ca.pem"), at("other.key"), 100, &e), -1);
	assert_string_equal(e.msg, arena_printf(a, "%s/ca.pem already exists", folder));
	assert_string_equal(e.hint,
	    "Files are never overwritten: use another folder or name, or `certs issue --renew`.");
	assert_int_equal(certs_create_ca(at("other.pem"), at("ca.key"), 100, &e), -1);
	assert_string_equal(e.msg, arena_printf(a, "%s/ca.key already exists", folder));
	assert_false(exists("other.pem") || exists("other.key"));
	assert_int_equal(certs_create_ca("/no/such/ca.pem", "/no/such/ca.key", 1, &e), -1);
	assert_string_equal(e.msg, "/no/such/ca.key cannot be written: No such file or directory");
	assert_int_equal(certs_create_ca("/no/such/ca.pem", at("alone.key"), 1, &e), -1);
	assert_false(exists("alone.key")); /* a key without its certificate */

	static const char *const bad[] = { "", "a b", "a/b", "a,DNS:b", "1.2.3.4.5/8" };
	for (size_t i = 0; i < LEN(bad); i++) {
		assert_int_equal(issue("bad", NAMES("good", bad[i]), 1, false, &e), -1);
		assert_string_equal(
		    e.msg, arena_printf(a, "`%s` is neither a host name nor an address", bad[i]));
		assert_false(exists("bad.pem") || exists("bad.key"));
	}
	struct stat before, after;
	assert_int_equal(issue("host", NAMES("host"), 1, false, &e), -1);
	assert_string_equal(e.msg, arena_printf(a, "%s/host.pem already exists", folder));
	assert_int_equal(stat(at("host.key"), &before), 0);
	assert_int_equal(issue("host", NAMES("host"), 1, true, &e), 0);
	assert_int_equal(stat(at("host.key"), &after), 0);
	assert_int_not_equal(before.st_ino, after.st_ino); /* a new key */
	assert_int_equal(unlink(at("host.pem")), 0);
	assert_int_equal(issue("host", NAMES("host"), 1, false, &e), -1);
	assert_string_equal(e.msg, arena_printf(a, "%s/host.key already exists", folder));
}

static void authorities_that_are_none(void **state)
{
	struct err e = { 0 };
	struct cert *v;
	size_t n;

	(void)state;
	assert_int_equal(certs_create_ca(at("old.pem"), at("old.key"), -1, &e), 0);
	assert_int_equal(certs_create_ca(at("two.pem"), at("two.key"), 1, &e), 0);
	assert_int_equal(system(arena_printf(a, "cd %s && echo x >text", folder)), 0);
	const struct {
		const char *cert, *key, *why;
	} rows[] = {
		{ "none", "ca.key", "none: No such file or directory" },
		{ "ca.pem", "none", "none: No such file or directory" },
		{ "text", "ca.key", "text: it holds no certificate in PEM" },
		{ "ca.pem", "text", "text: it holds no private key in PEM" },
		{ "ca.pem", "two.key", "ca.pem: it is not the certificate of the CA's key" },
		{ "old.pem", "old.key",
		    "old.pem: the CA has expired; create a new one with `atoll certs init`" },
	};
	for (size_t i = 0; i < LEN(rows); i++) {
		e = (struct err){ 0 };
		assert_int_equal(certs_issue(at(rows[i].cert), at(rows[i].key), at("x.pem"), at("x.key"),
		                     NAMES("x"), 1, false, &e),
		    -1);
		assert_int_equal(e.code, ERR_INVALID_INPUT);
		assert_string_equal(e.msg, arena_printf(a, "%s/%s", folder, rows[i].why));
	}
	assert_int_equal(certs_read(at("text"), &v, &n, a, &e), -1);
	assert_string_equal(e.msg, arena_printf(a, "%s/text: it holds no certificate in PEM", folder));
	assert_null(v);
	assert_int_equal(n, 0);
	assert_int_equal(certs_read(at("none"), &v, &n, a, &e), -1);
}

/* RFC 4231, the first two cases and those with long keys. */
static void codes_of_the_standard(void **state)
{
	static const char long_key[] =
	    "\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa"
	    "\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa"
	    "\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa"
	    "\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa";
	static const struct {
		const char *key, *text, *code;
	} rows[] = {
		{ "\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b",
		    "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7" },
		{ "Jefe", "what do ya want for nothing?",
		    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
		{ long_key, "Test Using Larger Than Block-Size Key - Hash Key First",
		    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54" },
	};
	static struct crypto_mac *macs[LEN(rows)];	/* they live as long as the process */
	char hex[SHA256_HEX], whole[SHA256_HEX];

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		size_t n = strlen(rows[i].text);
		crypto_hmac(rows[i].key, rows[i].text, n, hex);
		assert_string_equal(hex, rows[i].code);
		macs[i] = crypto_mac_new(rows[i].key);
		for (size_t cut = 0; cut <= n; cut += n / 3) {
			const struct iovec parts[] = { { (void *)rows[i].text, cut },
				{ (void *)(rows[i].text + cut), n - cut } };
			unsigned char out[CRYPTO_MAC];
			crypto_mac(macs[i], parts, 2, out);
			for (size_t k = 0; k < sizeof out; k++)
				snprintf(hex + 2 * k, 3, "%02x", out[k]);
			assert_string_equal(hex, rows[i].code);
		}
	}
	struct crypto_hash *h = crypto_hash_new();
	crypto_hash_put(h, "a", 1);
	crypto_hash_put(h, "", 0);
	crypto_hash_put(h, "bc", 2);
	crypto_hash_end(h, hex);
	crypto_sha256("abc", 3, whole);
	assert_string_equal(hex, whole);
}

static void random_bytes_and_comparisons(void **state)
{
	char hex[2 * 200 + 1];
	unsigned char one[64] = { 0 }, two[64] = { 0 };

	(void)state;
	for (size_t n = 0; n <= 200; n += 25) {
		memset(hex, 'z', sizeof hex);
		crypto_random_hex(hex, n);
		assert_int_equal(strspn(hex, "0123456789abcdef"), 2 * n);
		if (n)
			assert_int_equal(hex[2 * n], 0);
	}
	crypto_random(one, sizeof one);
	assert_false(crypto_equal_bytes(one, two, sizeof one));
	memcpy(two, one, sizeof two);
	assert_true(crypto_equal_bytes(one, two, sizeof one));
	two[63] ^= 1;
	assert_false(crypto_equal_bytes(one, two, sizeof one));
	assert_true(crypto_equal_bytes(one, two, 63));
	assert_true(crypto_equal_strings("", ""));
	assert_false(crypto_equal_strings("abc", "abd"));
	assert_false(crypto_equal_strings("abc", "ab"));
	assert_false(crypto_equal_strings(NULL, "abc"));
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	const char *remove = arena_printf(a, "rm -rf %s", folder);

	(void)state;
	if (system(remove))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ca_and_its_certificates),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(authorities_that_are_none),
		cmocka_unit_test(codes_of_the_standard),
		cmocka_unit_test(random_bytes_and_comparisons),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
