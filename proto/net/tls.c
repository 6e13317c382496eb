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
	pthread_mutex_t lock;		/* guards the fields below */
	SSL_CTX *ctx;
	struct stat file_stats[FILES];
	int64_t next_check_ms;		/* when to check the files for changes again */
	int64_t warn_ms;		/* when to check for expiring certificates again */
};

struct tls_conn {
	SSL *ssl;
	struct tls_io io;
	bool received_any;
	bool not_tls;			/* the first bytes received were not TLS */
	bool lost;			/* the carrier failed */
	int verdict;			/* X509_V_* for the peer's certificate */
	char subject[80], issuer[80];	/* of a refused certificate */
	unsigned long error;		/* OpenSSL's first error */
};

/* ---- files ---- */

static int record_verify_failure(struct tls_conn *c, X509_STORE_CTX *x)
{
	/* the peer's own certificate, wherever in the chain the fault is */
	X509 *cert = X509_STORE_CTX_get0_cert(x);

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
	SSL *ssl = X509_STORE_CTX_get_ex_data(x, SSL_get_ex_data_X509_STORE_CTX_idx());
	return record_verify_failure(SSL_get_app_data(ssl), x);
}

/* Checks that the file can be opened: OpenSSL's own message for a missing one is hard to read. */
static int check_readable(const char *path, struct err *e)
{
	if (!path)
		return err_set(e, ERR_INVALID_INPUT,
		    "tls+tcp: no CA, certificate or key given: see --tls-ca, --tls-cert, --tls-key");
	FILE *f = fopen(path, "re");
	if (!f)
		return err_set(e, ERR_INVALID_INPUT, "tls+tcp: %s: %s", path, strerror(errno));
	fclose(f);
	return 0;
}

/* OpenSSL's text for an error, or another one if it has none. */
static const char *reason_of(unsigned long error, const char *otherwise)
{
	const char *reason = ERR_reason_error_string(error);

	if (reason)
		return reason;
	return otherwise;
}

static SSL_CTX *new_context(bool server)
{
	SSL_CTX *x;

	if (server)
		x = SSL_CTX_new(TLS_server_method());
	else
		x = SSL_CTX_new(TLS_client_method());
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
	return x;
}

/* Loads the files.  Returns the one that OpenSSL does not accept, or NULL. */
static const char *load_files(SSL_CTX *x, char *const *file)
{
	if (SSL_CTX_load_verify_file(x, file[CA]) != 1)
		return file[CA];
	if (SSL_CTX_use_certificate_chain_file(x, file[CERT]) != 1)
		return file[CERT];
	if (SSL_CTX_use_PrivateKey_file(x, file[KEY], SSL_FILETYPE_PEM) != 1)
		return file[KEY];
	return NULL;
}

static SSL_CTX *read_files(const struct tls *t, struct err *e)
{
	for (int i = 0; i < FILES; i++)
		if (check_readable(t->file[i], e))
			return NULL;
	SSL_CTX *x = new_context(t->server);
	const char *bad = load_files(x, t->file);
	if (!bad)
		return x;
	err_set(e, ERR_INVALID_INPUT, "tls+tcp: %s: %s", bad,
	    reason_of(ERR_peek_last_error(), "OpenSSL cannot use it"));
	ERR_clear_error();
	SSL_CTX_free(x);
	return NULL;
}

static void stat_files(const struct tls *t, struct stat *out)
{
	for (int i = 0; i < FILES; i++)
		if (stat(t->file[i], &out[i]))
			out[i] = (struct stat){ 0 };
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	if (a->st_ino != b->st_ino || a->st_size != b->st_size)
		return false;
	return !memcmp(&a->st_mtim, &b->st_mtim, sizeof a->st_mtim);
}

static bool same_files(const struct stat *a, const struct stat *b)
{
	for (int i = 0; i < FILES; i++)
		if (!same_file(&a[i], &b[i]))
			return false;
	return true;
}

/* Logs the certificates that expire soon, once a day. */
static void warn_of_expiry(struct tls *t, int64_t now)
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

/* With the lock: reads the files again.  If one cannot be read, the old ones stay in use. */
static void reload(struct tls *t)
{
	struct err e = { 0 };
	SSL_CTX *x = read_files(t, &e);

	if (!x) {
		log_warn("tls.unreadable", "message=%s", log_quote(e.msg));
		return;
	}
	SSL_CTX_free(t->ctx);
	t->ctx = x;
	t->warn_ms = 0;
	log_info("tls.reloaded", "ca=%s cert=%s", log_quote(t->file[CA]), log_quote(t->file[CERT]));
}

/* With the lock: reloads files that have changed, and warns of expiring certificates. */
static void check_files(struct tls *t)
{
	struct stat now[FILES];
	int64_t ms = clock_ms();

	if (ms < t->next_check_ms)
		return;
	t->next_check_ms = ms + CHECK_INTERVAL_MS;
	stat_files(t, now);
	if (!same_files(now, t->file_stats)) {
		memcpy(t->file_stats, now, sizeof now);
		reload(t);
	}
	if (ms >= t->warn_ms)
		warn_of_expiry(t, ms);
}

static char *copy(const char *s)
{
	if (!s || !*s)
		return NULL;
	return xstrdup(s);
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
	t->ctx = read_files(t, e);
	if (t->ctx) {
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
	if (!t) {
		t = open_files(file, server, e);
		if (t) {
			t->next = all;
			all = t;
		}
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
	struct tls_conn *c = xcalloc(1, sizeof *c);

	pthread_once(&once, make_carrier);
	c->io = io;
	pthread_mutex_lock(&t->lock);
	check_files(t);
	c->ssl = SSL_new(t->ctx);
	pthread_mutex_unlock(&t->lock);
	BIO *b = BIO_new(carrier);
	if (!b || !c->ssl)
		die("OpenSSL cannot allocate");
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

	if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
		return TLS_WAIT;
	if (!c->error)
		c->error = ERR_peek_error();
	ERR_clear_error();
	/* a peer that does not speak TLS can recognise this alert */
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

static void describe_refused_cert(const struct tls_conn *c, char *text, size_t n)
{
	const char *subject = "no name", *issuer = "nobody";

	if (*c->subject)
		subject = c->subject;
	if (*c->issuer)
		issuer = c->issuer;
	snprintf(text, n, "its certificate (%s, by %s) is refused: %s", subject, issuer,
	    X509_verify_cert_error_string(c->verdict));
}

enum tls_failure tls_failure(const struct tls_conn *c, char *text, size_t n)
{
	int code = ERR_GET_REASON(c->error);

	if (c->not_tls) {
		snprintf(text, n, "it does not speak TLS");
		return TLS_NOT_TLS;
	}
	if (c->verdict != X509_V_OK) {
		describe_refused_cert(c, text, n);
		return TLS_BAD_CERT;
	}
	if (code == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE) {
		snprintf(text, n, "it presented no certificate");
		return TLS_BAD_CERT;
	}
	if (code >= SSL_AD_REASON_OFFSET) {
		snprintf(text, n, "it refuses this end: %s", reason_of(c->error, "alert"));
		return TLS_REFUSED;
	}
	if (c->lost || !c->error) {
		snprintf(text, n, "the connection was lost");
		return TLS_CONNECTION_LOST;
	}
	snprintf(text, n, "TLS: %s", reason_of(c->error, "failed"));
	return TLS_OTHER;
}
