/*
 * TLS of nng by OpenSSL (base/tls), in place of the library that nng was built with: that says
 * neither whom it refuses nor why, and reads its files once.
 */
#include <arpa/inet.h>
#include <nng/nng.h>
#include <nng/supplemental/tls/engine.h>
#include <nng/supplemental/tls/tls.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/net/tls.h"
#include "proto/process/directory.h"
#include "proto/wire/wire.h"
#include "proto/wire/wire_internal.h"

struct nng_tls_engine_config {
	struct tls *tls;	/* NULL of those that nng makes and nobody uses */
	char at[128];		/* this end, for the log */
	bool dials;
};

enum { LENGTH = 8, PENDING_MAX = 64, FIRST = 4096 };

struct nng_tls_engine_conn {
	struct tls_conn *c;
	void *carrier;		/* nng's */
	char at[128];
	bool dials;
	char peer[64];		/* "": not known yet */
	bool refusal_logged, answered;	/* refused, in the log; something has come through */
	/* the first eight bytes have gone: what follows are messages, each behind its length */
	bool preamble_sent;
	uint64_t left;		/* of the message that is being sent */
	unsigned char pending[PENDING_MAX];
	size_t npending;		/* its first pieces, which go with the next */
	struct wire_handshake handshake;	/* its handshake */
	bool handshake_done;			/* that is done */
};

/*
 * Handed to the next configuration that this thread makes: nng's own ways take texts, which cannot
 * be read again.
 */
static _Thread_local const struct nng_tls_engine_config *opened;

static int config_init(nng_tls_engine_config *c, nng_tls_mode mode)
{
	(void)mode;
	if (opened)
		*c = *opened;
	return 0;
}

static void config_fini(nng_tls_engine_config *c)
{
	(void)c;
}

static int config_server(nng_tls_engine_config *c, const char *name)
{
	(void)c, (void)name;
	return 0;
}

static int config_auth(nng_tls_engine_config *c, nng_tls_auth_mode mode)
{
	(void)c, (void)mode;
	return 0;
}

static int config_ca(nng_tls_engine_config *c, const char *ca, const char *crl)
{
	(void)c, (void)ca, (void)crl;
	return NNG_ENOTSUP;
}

static int config_cert(
    nng_tls_engine_config *c, const char *cert, const char *key, const char *password)
{
	(void)c, (void)cert, (void)key, (void)password;
	return NNG_ENOTSUP;
}

static int config_version(nng_tls_engine_config *c, nng_tls_version least, nng_tls_version most)
{
	(void)c, (void)least, (void)most;
	return NNG_ENOTSUP;
}

/* ---- connections ---- */

static enum tls_status did(int rc)
{
	if (!rc)
		return TLS_DONE;
	if (rc == NNG_EAGAIN)
		return TLS_WAIT;
	return TLS_FAILED;
}

static enum tls_status on_read(void *ctx, void *to, size_t *n)
{
	nng_tls_engine_conn *c = ctx;

	return did(nng_tls_engine_recv(c->carrier, to, n));
}

static enum tls_status on_write(void *ctx, const void *from, size_t *n)
{
	nng_tls_engine_conn *c = ctx;

	return did(nng_tls_engine_send(c->carrier, from, n));
}

static int conn_init(nng_tls_engine_conn *c, void *carrier, nng_tls_engine_config *config)
{
	if (!config->tls)
		return NNG_ECRYPTO;
	c->carrier = carrier;
	snprintf(c->at, sizeof c->at, "%s", config->at);
	c->dials = config->dials;
	c->c = tls_conn_new(config->tls, (struct tls_io){ on_read, on_write, c });
	wire_handshake_begin(&c->handshake, c->at);
	return 0;
}

static void conn_fini(nng_tls_engine_conn *c)
{
	wire_handshake_end(&c->handshake);
	tls_conn_free(c->c);	/* NULL of one that was never connected */
}

static void conn_close(nng_tls_engine_conn *c)
{
	if (c->c)
		tls_close(c->c);
}

static void tell(nng_tls_engine_conn *c)
{
	static const enum wire_refusal why[] = { [TLS_NOT_TLS] = WIRE_REFUSAL_NOT_TLS,
		[TLS_BAD_CERT] = WIRE_REFUSAL_CERT,
		[TLS_REFUSED] = WIRE_REFUSAL_ALERT,
		[TLS_OTHER] = WIRE_REFUSAL_ALERT };
	char text[240];
	enum tls_failure w = tls_failure(c->c, text, sizeof text);

	if (!c->refusal_logged && w != TLS_CONNECTION_LOST && !c->answered)
		wire_log_refusal(why[w],
		    *c->peer     ? c->peer :
		        c->dials ? c->at :
		                   "unknown",
		    c->at, "%s", text);
	c->refusal_logged = true;
}

/* After each step; what nng read or wrote in it says which socket this is. */
static int finish_step(nng_tls_engine_conn *c, enum tls_status d)
{
	if (!*c->peer && wire_last_socket >= 0) {
		wire_socket_peer(wire_last_socket, c->peer, sizeof c->peer);
		wire_handshake_set_socket(&c->handshake, wire_last_socket);
	}
	if (!c->handshake_done && d != TLS_WAIT)
		wire_handshake_end(&c->handshake);
	c->handshake_done |= d != TLS_WAIT;
	if (d == TLS_FAILED)
		tell(c);
	if (d == TLS_DONE)
		return 0;
	if (d == TLS_WAIT)
		return NNG_EAGAIN;
	return NNG_ECRYPTO;
}

static int conn_handshake(nng_tls_engine_conn *c)
{
	wire_last_socket = -1;
	return finish_step(c, tls_handshake(c->c));
}

static int conn_recv(nng_tls_engine_conn *c, uint8_t *to, size_t *n)
{
	wire_last_socket = -1;
	int rc = finish_step(c, tls_read(c->c, to, n));

	if (!rc && !*n)
		return NNG_ECONNSHUT;
	c->answered |= !rc;
	return rc;
}

/* A length, big-endian. */
static uint64_t length_of(const uint8_t *p)
{
	uint64_t n = 0;

	for (int i = 0; i < LENGTH; i++)
		n = n << 8 | p[i];
	return n;
}

/* Whether a piece waits for what follows in its message. */
static bool buffer_piece(nng_tls_engine_conn *c, const uint8_t *from, size_t n)
{
	bool length = c->preamble_sent && !c->left && n == LENGTH;
	uint64_t left = length ? length_of(from) : c->left - n;

	if ((!length && n >= c->left) || !left || c->npending + n > sizeof c->pending)
		return false;
	memcpy(c->pending + c->npending, from, n);
	c->npending += n;
	c->left = left;
	return true;
}

/*
 * What is held, and as much of this piece as goes with it; again the same when there was no room
 * for it.
 */
static enum tls_status write_all(nng_tls_engine_conn *c, const uint8_t *from, size_t *n)
{
	uint8_t all[FIRST];
	size_t k = *n < sizeof all - c->npending ? *n : sizeof all - c->npending, put = c->npending + k;

	if (!c->npending)
		return tls_write(c->c, from, n);
	memcpy(all, c->pending, c->npending);
	memcpy(all + c->npending, from, k);
	enum tls_status did = tls_write(c->c, all, &put);
	if (did == TLS_DONE) {
		*n = put - c->npending;
		c->npending = 0;
	}
	return did;
}

/*
 * nng hands over a message in three pieces: its length, four bytes that say which it is, and what
 * it says.  As a record each, every message was three system calls and woke who receives it up to
 * three times: they go as one.
 */
static int conn_send(nng_tls_engine_conn *c, const uint8_t *from, size_t *n)
{
	wire_last_socket = -1;
	if (buffer_piece(c, from, *n))
		return 0;
	int rc = finish_step(c, write_all(c, from, n));
	if (!rc && c->preamble_sent)
		c->left -= *n < c->left ? *n : c->left;
	c->preamble_sent |= !rc;
	return rc;
}

static bool conn_verified(nng_tls_engine_conn *c)
{
	(void)c;
	return true;	/* or there is no connection */
}

/* ---- for the rest of wire ---- */

static void begin(void)
{
	static nng_tls_engine_config_ops config = {
		.size = sizeof(struct nng_tls_engine_config),
		.init = config_init,
		.fini = config_fini,
		.server = config_server,
		.auth = config_auth,
		.ca_chain = config_ca,
		.own_cert = config_cert,
		.version = config_version,
	};
	static nng_tls_engine_conn_ops conn = {
		.size = sizeof(struct nng_tls_engine_conn),
		.init = conn_init,
		.fini = conn_fini,
		.close = conn_close,
		.handshake = conn_handshake,
		.recv = conn_recv,
		.send = conn_send,
		.verified = conn_verified,
	};
	static const nng_tls_engine engine = {
		.version = NNG_TLS_ENGINE_VERSION,
		.config_ops = &config,
		.conn_ops = &conn,
		.name = "atoll",
		.description = "OpenSSL",
	};

	if (nng_tls_engine_register(&engine))
		die("nng cannot allocate");
}

nng_tls_config *wire_tls(
    nng_tls_mode mode, const struct wire_trust *t, const char *url, struct err *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	nng_tls_config *c = NULL;
	bool server = mode == NNG_TLS_MODE_SERVER;
	struct nng_tls_engine_config mine = { .tls = tls_get(t->ca, t->cert, t->cert_key, server, e),
		.dials = !server };

	if (!mine.tls)
		return NULL;
	snprintf(mine.at, sizeof mine.at, "%s", url);
	pthread_once(&once, begin);
	opened = &mine;
	if (nng_tls_config_alloc(&c, mode))
		die("nng cannot allocate");
	opened = NULL;
	return c;
}

static bool is_loopback(const char *host, size_t n)
{
	char name[64];

	snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), host);
	struct in_addr a;
	return !strcmp(name, "localhost") || !strcmp(name, "[::1]") ||
	    (inet_pton(AF_INET, name, &a) == 1 && ntohl(a.s_addr) >> 24 == 127);
}

static bool has_key(const struct wire_trust *t)
{
	return (t->key && *t->key) || (t->key_file && *t->key_file);
}

/* Without a key who may reach a socket is who may open its file. */
static int check_folder(const char *what, const char *url, const struct wire_trust *t,
    struct err *e)
{
	if (has_key(t) || !directory_check_parent(url + 6, e))
		return 0;
	return err_add(e, "%s %s", what, url);
}

/*
 * What listens on TCP can be reached by everybody on the machine, at least: a socket's file
 * belongs to a user.
 */
static int check_key(const char *what, const char *url, const struct wire_trust *t, struct err *e)
{
	if (has_key(t))
		return 0;
	err_set(e, ERR_INVALID_INPUT,
	    "%s %s: without a cluster key anybody who reaches this address could pass for a member",
	    what, url);
	return err_hint(e,
	    "Give both ends the same --cluster-key-file FILE (`atoll certs init` makes one), or use ipc:///PATH in a folder of your own.");
}

int wire_check(const char *what, const char *url, const struct wire_trust *t, struct err *e)
{
	const char *host = strstr(url, "://");
	const char *end = NULL;

	if (host)
		end = strrchr(host + 3, ':');
	if (!strncmp(url, "ipc://", 6))
		return check_folder(what, url, t, e);
	if (wire_is_tls(url))
		return check_key(what, url, t, e);
	if (strncmp(url, "tcp://", 6)) {
		err_set(e, ERR_INVALID_INPUT, "%s %s: not an address", what, url);
		return err_hint(
		    e, "Addresses are ipc:///PATH on one machine, tls+tcp://HOST:PORT between machines.");
	}
	if (is_loopback(host + 3, end ? (size_t)(end - host - 3) : strlen(host + 3)))
		return check_key(what, url, t, e);
	err_set(e, ERR_INVALID_INPUT, "%s %s: tcp:// is not encrypted, so it is for 127.0.0.1 only",
	    what, url);
	return err_hint(e, "Between machines use tls+tcp://; `atoll certs init` makes what it takes.");
}
