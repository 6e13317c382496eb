#include "proto/net/tls.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/net/certificates.h"

enum { CHECK_INTERVAL_MS = 1000, WARN_MS = 86400000, ALERT = 0x15, HANDSHAKE = 0x16 };
enum { CA, CERT, KEY, FILES };

struct tls {
	struct tls *next;
	char *file[FILES];
	bool server;
	pthread_mutex_t lock;		/* guards what follows */
	SSL_CTX *ctx;
	struct stat file_stats[FILES];
	int64_t next_check_ms, warn_ms;	/* not before */
};

struct tls_conn {
	SSL *ssl;
	struct tls_io io;
	/* bytes came; the first were none of TLS; the carrier failed */
	bool received_any, not_tls, lost;
	int verdict;			/* X509_V_*, of the other's certificate */
	char subject[80], issuer[80];	/* of the one that was refused */
	unsigned long error;		/* OpenSSL's, the first */
};

/* ---- files ---- */

static int record_verify_failure(struct tls_conn *c, X509_STORE_CTX *x)
{
	X509 *cert = X509_STORE_CTX_get0_cert(x);	/* its own, wherever in the chain the fault is */

	c->verdict = X509_STORE_CTX_get_error(x);
	if (cert) {
		X509_NAME_get_text_by_NID(
		    X509_get_subject_name(cert), NID_commonName, c->subject, sizeof c->subject);
		X509_NAME_get_text_by_NID(
		    X509_get_issuer_name(cert), NID_commonName, c->issuer, sizeof c->issuer);
	}
	return 0;
}

static int on_verify(int good, X509_STORE_CTX *x)
{
	if (good)
		return 1;
	return record_verify_failure(SSL_get_app_data((SSL *)X509_STORE_CTX_get_ex_data(
	                                 x, SSL_get_ex_data_X509_STORE_CTX_idx())),
	    x);
}

/* 0 when the file can be opened: OpenSSL's own words for one that is not there are hard to read. */
static int readable(const char *path, struct err *e)
{
	FILE *f = NULL;

	if (path)
		f = fopen(path, "re");
	if (f)
		return fclose(f), 0;
	return err_set(e, ERR_INVALID_INPUT, "tls+tcp: %s: %s",
	    path ? path : "no CA, certificate or key given",
	    path ? strerror(errno) : "see --tls-ca, --tls-cert, --tls-key");
}

static SSL_CTX *read_files(const struct tls *t, struct err *e)
{
	SSL_CTX *x = SSL_CTX_new(t->server ? TLS_server_method() : TLS_client_method());
	const char *bad = NULL;

	if (!x)
		die("out of memory");
	SSL_CTX_set_min_proto_version(x, TLS1_2_VERSION);
	SSL_CTX_set_mode(x,
	    SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
	        SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
	SSL_CTX_set_options(x, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
	SSL_CTX_set_num_tickets(x, 0);
	SSL_CTX_set_session_cache_mode(x, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_verify(x, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, on_verify);
	for (int i = 0; i < FILES && !bad; i++)
		if (readable(t->file[i], e))
			goto out;
	if (SSL_CTX_load_verify_file(x, t->file[CA]) != 1)
		bad = t->file[CA];
	else if (SSL_CTX_use_certificate_chain_file(x, t->file[CERT]) != 1)
		bad = t->file[CERT];
	else if (SSL_CTX_use_PrivateKey_file(x, t->file[KEY], SSL_FILETYPE_PEM) != 1)
		bad = t->file[KEY];
	else
		bad = NULL;
	if (bad) {
		const char *why = ERR_reason_error_string(ERR_peek_last_error());
		err_set(e, ERR_INVALID_INPUT, "tls+tcp: %s: %s", bad, why ? why : "not to be used");
		ERR_clear_error();
		goto out;
	}
	return x;
out:
	SSL_CTX_free(x);
	return NULL;
}

static void stat_files(const struct tls *t, struct stat *out)
{
	for (int i = 0; i < FILES; i++)
		if (stat(t->file[i], &out[i]))
			out[i] = (struct stat){ 0 };
}

static bool same_files(const struct stat *a, const struct stat *b)
{
	for (int i = 0; i < FILES; i++)
		if (a[i].st_ino != b[i].st_ino || a[i].st_size != b[i].st_size ||
		    memcmp(&a[i].st_mtim, &b[i].st_mtim, sizeof a[i].st_mtim))
			return false;
	return true;
}

/* Once a day: what runs out soon. */
static void warn(struct tls *t, int64_t now)
{
	struct arena *a = arena_new();
	char iso[CLOCK_ISO];
	struct cert *v;
	size_t n;

	t->warn_ms = now + WARN_MS;
	for (int i = CA; i <= CERT; i++) {
		if (certs_read(t->file[i], &v, &n, a, NULL))
			continue;
		for (size_t k = 0; k < n; k++) {
			if (v[k].until - clock_real_ms() / 1000 > CERTS_RENEW_BEFORE)
				continue;
			clock_iso_at(v[k].until * 1000, iso);
			log_warn("tls.expires", "file=%s name=%s until=%s", log_quote(t->file[i]),
			    log_quote(v[k].subject), iso);
		}
	}
	arena_free(a);
}

/* With the lock held: read what has changed; what cannot be read leaves things as they are. */
static void look(struct tls *t)
{
	struct stat now[FILES];
	struct err e = { 0 };
	int64_t ms = clock_ms();

	if (ms < t->next_check_ms)
		return;
	t->next_check_ms = ms + CHECK_INTERVAL_MS;
	stat_files(t, now);
	if (!same_files(now, t->file_stats)) {
		SSL_CTX *x = read_files(t, &e);
		memcpy(t->file_stats, now, sizeof now);
		if (x) {
			SSL_CTX_free(t->ctx);
			t->ctx = x;
			t->warn_ms = 0;
			log_info(
			    "tls.reloaded", "ca=%s cert=%s", log_quote(t->file[CA]), log_quote(t->file[CERT]));
		} else
			log_warn("tls.unreadable", "message=%s", log_quote(e.msg));
	}
	if (ms >= t->warn_ms)
		warn(t, ms);
}

static char *copy(const char *s)
{
	char *p = NULL;

	if (s && *s)
		p = strdup(s);
	if (s && *s && !p)
		die("out of memory");
	return p;
}

static bool uses_files(const struct tls *t, const char *const *file, bool server)
{
	for (int i = 0; i < FILES; i++)
		if (!file[i] || strcmp(t->file[i], file[i]))
			return false;
	return t->server == server;
}

static struct tls *open_files(const char *const *file, bool server, struct err *e)
{
	struct tls *t = xcalloc(1, sizeof *t);

	for (int i = 0; i < FILES; i++)
		t->file[i] = copy(file[i]);
	t->server = server;
	if (t->file[CA] && t->file[CERT] && t->file[KEY])
		stat_files(t, t->file_stats);
	if ((t->ctx = read_files(t, e))) {
		pthread_mutex_init(&t->lock, NULL);
		return t;
	}
	for (int i = 0; i < FILES; i++)
		free(t->file[i]);
	free(t);
	return NULL;
}

struct tls *tls_get(const char *ca, const char *cert, const char *key, bool server, struct err *e)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct tls *all;
	const char *const file[FILES] = { [CA] = ca, [CERT] = cert, [KEY] = key };
	struct tls *t;

	pthread_mutex_lock(&lock);
	for (t = all; t && !uses_files(t, file, server); t = t->next)
		continue;
	if (!t && (t = open_files(file, server, e))) {
		t->next = all;
		all = t;
	}
	pthread_mutex_unlock(&lock);
	return t;
}

/* ---- bytes ---- */

static int on_read(BIO *b, char *to, int want)
{
	struct tls_conn *c = BIO_get_data(b);
	size_t n = (size_t)want;
	enum tls_status did = c->io.read(c->io.ctx, to, &n);

	BIO_clear_retry_flags(b);
	if (did == TLS_WAIT)
		BIO_set_retry_read(b);
	c->lost |= did == TLS_FAILED;
	if (did != TLS_DONE)
		return -1;
	if (!c->received_any && n)
		c->not_tls = *to != HANDSHAKE && *to != ALERT;
	c->received_any |= n > 0;
	return (int)n;
}

static int on_write(BIO *b, const char *from, int want)
{
	struct tls_conn *c = BIO_get_data(b);
	size_t n = (size_t)want;
	enum tls_status did = c->io.write(c->io.ctx, from, &n);

	BIO_clear_retry_flags(b);
	if (did == TLS_WAIT)
		BIO_set_retry_write(b);
	c->lost |= did == TLS_FAILED;
	if (did == TLS_DONE)
		return (int)n;
	return -1;
}

static long on_ctrl(BIO *b, int what, long n, void *p)
{
	(void)b, (void)n, (void)p;
	return what == BIO_CTRL_FLUSH;
}

static BIO_METHOD *carrier;

static void make_carrier(void)
{
	carrier = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "atoll");
	if (!carrier || !BIO_meth_set_read(carrier, on_read) ||
	    !BIO_meth_set_write(carrier, on_write) || !BIO_meth_set_ctrl(carrier, on_ctrl))
		die("OpenSSL cannot allocate or sign");
}

struct tls_conn *tls_conn_new(struct tls *t, struct tls_io io)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct tls_conn *c = calloc(1, sizeof *c);
	BIO *b;

	pthread_once(&once, make_carrier);
	if (!c || !(b = BIO_new(carrier)))
		die("OpenSSL cannot allocate or sign");
	c->io = io;
	pthread_mutex_lock(&t->lock);
	look(t);
	c->ssl = SSL_new(t->ctx);
	pthread_mutex_unlock(&t->lock);
	if (!c->ssl)
		die("OpenSSL cannot allocate or sign");
	BIO_set_data(b, c);
	BIO_set_init(b, 1);
	SSL_set_bio(c->ssl, b, b);
	SSL_set_app_data(c->ssl, c);
	if (t->server)
		SSL_set_accept_state(c->ssl);
	else
		SSL_set_connect_state(c->ssl);
	return c;
}

void tls_conn_free(struct tls_conn *c)
{
	if (!c)
		return;
	SSL_free(c->ssl);
	free(c);
}

/* ---- steps ---- */

static enum tls_status outcome(struct tls_conn *c, int rc)
{
	int why = SSL_get_error(c->ssl, rc);
	unsigned long code;

	if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
		return TLS_WAIT;
	if (!c->error && (code = ERR_peek_error()))
		c->error = code;
	ERR_clear_error();
	/* who speaks something else may tell these bytes from an answer */
	if (c->not_tls && !SSL_is_init_finished(c->ssl)) {
		static const unsigned char protocol_version[] = { ALERT, 3, 3, 0, 2, 2, 70 };
		size_t n = sizeof protocol_version;
		c->io.write(c->io.ctx, protocol_version, &n);
	}
	return TLS_FAILED;
}

enum tls_status tls_handshake(struct tls_conn *c)
{
	ERR_clear_error();
	int rc = SSL_do_handshake(c->ssl);

	if (rc == 1)
		return TLS_DONE;
	return outcome(c, rc);
}

enum tls_status tls_read(struct tls_conn *c, void *to, size_t *n)
{
	ERR_clear_error();
	int rc = SSL_read_ex(c->ssl, to, *n, n);

	if (rc == 1)
		return TLS_DONE;
	if (SSL_get_error(c->ssl, rc) == SSL_ERROR_ZERO_RETURN) {
		*n = 0;
		return TLS_DONE;
	}
	return outcome(c, rc);
}

enum tls_status tls_write(struct tls_conn *c, const void *from, size_t *n)
{
	ERR_clear_error();
	int rc = SSL_write_ex(c->ssl, from, *n, n);

	if (rc == 1)
		return TLS_DONE;
	return outcome(c, rc);
}

void tls_close(struct tls_conn *c)
{
	ERR_clear_error();
	if (SSL_is_init_finished(c->ssl) && !c->error)
		SSL_shutdown(c->ssl);
	ERR_clear_error();
}

enum tls_failure tls_failure(const struct tls_conn *c, char *text, size_t n)
{
	const char *reason = ERR_reason_error_string(c->error);
	int code = ERR_GET_REASON(c->error);

	if (c->not_tls)
		return snprintf(text, n, "it speaks no TLS"), TLS_NOT_TLS;
	if (c->verdict != X509_V_OK)
		return snprintf(text, n, "its certificate (%s, by %s) is refused: %s",
		           *c->subject ? c->subject : "no name", *c->issuer ? c->issuer : "nobody",
		           X509_verify_cert_error_string(c->verdict)),
		       TLS_BAD_CERT;
	if (code == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE)
		return snprintf(text, n, "it shows no certificate"), TLS_BAD_CERT;
	if (code >= SSL_AD_REASON_OFFSET)
		return snprintf(text, n, "it refuses this end: %s", reason ? reason : "alert"), TLS_REFUSED;
	if (c->lost || !c->error)
		return snprintf(text, n, "the connection was lost"), TLS_CONNECTION_LOST;
	return snprintf(text, n, "TLS: %s", reason ? reason : "failed"), TLS_OTHER;
}
