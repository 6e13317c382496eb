/*
 * TLS for nng with OpenSSL (net/tls), instead of the library that nng was built with, which reports
 * neither whom it refuses nor why, and reads its files only once.
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
#include "proto/base/minmax.h"
#include "proto/net/tls.h"
#include "proto/process/directory.h"
#include "proto/wire/wire.h"
#include "proto/wire/wire_internal.h"

struct nng_tls_engine_config {
	struct tls *tls;	/* NULL in those that nng itself makes and never uses */
	char at[128];		/* this end, for the log */
	bool dials;
};

enum { LENGTH = 8, PENDING_MAX = 64, FIRST = 4096 };

struct nng_tls_engine_conn {
	struct tls_conn *c;
	void *carrier;		/* nng's handle for sending and receiving */
	char at[128];
	bool dials;
	char peer[64];		/* "" while it is unknown */
	bool refusal_logged;
	bool answered;		/* something was received after the handshake */
	/* the first eight bytes were sent: messages follow, each preceded by its length */
	bool preamble_sent;
	uint64_t left;		/* bytes left of the message that is being sent */
	unsigned char pending[PENDING_MAX];
	size_t npending;	/* its first pieces, which are sent with the next one */
	struct wire_handshake handshake;
	bool handshake_done;
};

/*
 * Passed to the next configuration that this thread makes.  nng's own functions take the contents
 * of files, which could not be read again when they change.
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
	tls_conn_free(c->c);	/* NULL if it was never connected */
}

static void conn_close(nng_tls_engine_conn *c)
{
	if (c->c)
		tls_close(c->c);
}

static const char *peer_of(const nng_tls_engine_conn *c)
{
	if (*c->peer)
		return c->peer;
	if (c->dials)
		return c->at;
	return "unknown";
}

/* Logs why the handshake failed, once.  A failure after that is no refusal. */
static void log_refusal(nng_tls_engine_conn *c)
{
	static const enum wire_refusal why[] = { [TLS_NOT_TLS] = WIRE_REFUSAL_NOT_TLS,
		[TLS_BAD_CERT] = WIRE_REFUSAL_CERT,
		[TLS_REFUSED] = WIRE_REFUSAL_ALERT,
		[TLS_OTHER] = WIRE_REFUSAL_ALERT };
	char text[240];

	if (c->refusal_logged)
		return;
	c->refusal_logged = true;
	enum tls_failure failure = tls_failure(c->c, text, sizeof text);
	if (failure == TLS_CONNECTION_LOST || c->answered)
		return;
	wire_log_refusal(why[failure], peer_of(c), c->at, "%s", text);
}

/* After each step.  The socket that nng used in it is the connection's. */
static int finish_step(nng_tls_engine_conn *c, enum tls_status d)
{
	if (!*c->peer && wire_last_socket >= 0) {
		wire_socket_peer(wire_last_socket, c->peer, sizeof c->peer);
		wire_handshake_set_socket(&c->handshake, wire_last_socket);
	}
	if (d == TLS_WAIT)
		return NNG_EAGAIN;
	if (!c->handshake_done)
		wire_handshake_end(&c->handshake);
	c->handshake_done = true;
	if (d == TLS_DONE)
		return 0;
	log_refusal(c);
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

/* Decodes a big-endian length. */
static uint64_t length_of(const uint8_t *p)
{
	uint64_t n = 0;

	for (int i = 0; i < LENGTH; i++)
		n = n << 8 | p[i];
	return n;
}

/* Bytes of the message that follow a piece: its length comes first.  0 if the piece ends it. */
static uint64_t bytes_after(const nng_tls_engine_conn *c, const uint8_t *from, size_t n)
{
	if (c->preamble_sent && !c->left && n == LENGTH)
		return length_of(from);
	if (n >= c->left)
		return 0;
	return c->left - n;
}

/* Stores a piece if more of its message follows.  Returns whether it did. */
static bool buffer_piece(nng_tls_engine_conn *c, const uint8_t *from, size_t n)
{
	uint64_t left = bytes_after(c, from, n);

	if (!left || c->npending + n > sizeof c->pending)
		return false;
	memcpy(c->pending + c->npending, from, n);
	c->npending += n;
	c->left = left;
	return true;
}

/*
 * Writes the stored pieces and as much of this one as fits in one call.  After TLS_WAIT the next
 * call writes the same again.
 */
static enum tls_status write_all(nng_tls_engine_conn *c, const uint8_t *from, size_t *n)
{
	uint8_t all[FIRST];

	if (!c->npending)
		return tls_write(c->c, from, n);
	size_t k = MIN(*n, sizeof all - c->npending), put = c->npending + k;
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
 * nng hands over a message in three pieces: its length, its id of four bytes, and its contents.
 * With a TLS record for each, a message takes three system calls and wakes the receiver up to three
 * times.  Here all three become one record.
 */
static int conn_send(nng_tls_engine_conn *c, const uint8_t *from, size_t *n)
{
	wire_last_socket = -1;
	if (buffer_piece(c, from, *n))
		return 0;
	int rc = finish_step(c, write_all(c, from, n));
	if (rc)
		return rc;
	if (c->preamble_sent)
		c->left -= MIN(*n, c->left);
	c->preamble_sent = true;
	return 0;
}

static bool conn_verified(nng_tls_engine_conn *c)
{
	(void)c;
	return true;	/* an unverified peer gets no connection */
}

/* ---- the interface for the rest of wire ---- */

static void register_engine(void)
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
	pthread_once(&once, register_engine);
	opened = &mine;
	if (nng_tls_config_alloc(&c, mode))
		die("nng cannot allocate");
	opened = NULL;
	return c;
}

bool wire_is_tls(const char *url)
{
	return !strncmp(url, "tls+", 4);
}

int wire_bad_address(int rc, const char *what, const char *url, struct err *e)
{
	enum err_code code = ERR_INVALID_INPUT;

	if (rc == NNG_EADDRINUSE || rc == NNG_EPERM)
		code = ERR_UNAVAILABLE;
	return err_set(e, code, "%s %s: %s", what, url, nng_strerror(rc));
}

static bool is_loopback(const char *host, size_t n)
{
	char name[64];
	struct in_addr a;

	snprintf(name, sizeof name, "%.*s", (int)MIN(n, sizeof name - 1), host);
	if (!strcmp(name, "localhost") || !strcmp(name, "[::1]"))
		return true;
	return inet_pton(AF_INET, name, &a) == 1 && ntohl(a.s_addr) >> 24 == 127;
}

/* Whether the host of tcp://HOST[:PORT] is this machine. */
static bool is_loopback_url(const char *url)
{
	const char *host = strstr(url, "://") + 3, *colon = strrchr(host, ':');
	size_t n = strlen(host);

	if (colon)
		n = (size_t)(colon - host);
	return is_loopback(host, n);
}

static bool has_key(const struct wire_trust *t)
{
	return (t->key && *t->key) || (t->key_file && *t->key_file);
}

/* Without a cluster key, anyone who can open the file of a socket can use it. */
static int check_folder(const char *what, const char *url, const struct wire_trust *t,
    struct err *e)
{
	if (has_key(t) || !directory_check_parent(url + 6, e))
		return 0;
	return err_add(e, "%s %s", what, url);
}

/* Without a cluster key, everybody on this machine at least can use a TCP port. */
static int check_key(const char *what, const char *url, const struct wire_trust *t, struct err *e)
{
	if (has_key(t))
		return 0;
	err_set(e, ERR_INVALID_INPUT,
	    "%s %s: without a cluster key anybody who reaches this address could pass for a member",
	    what, url);
	return err_hint(e,
	    "Give both ends the same --cluster-key-file FILE (`atoll certs init` creates one), or use "
	    "ipc:///PATH in a folder of your own.");
}

int wire_check(const char *what, const char *url, const struct wire_trust *t, struct err *e)
{
	if (!strncmp(url, "ipc://", 6))
		return check_folder(what, url, t, e);
	if (wire_is_tls(url))
		return check_key(what, url, t, e);
	if (strncmp(url, "tcp://", 6)) {
		err_set(e, ERR_INVALID_INPUT, "%s %s: not an address", what, url);
		return err_hint(
		    e, "Use ipc:///PATH on one machine, and tls+tcp://HOST:PORT between machines.");
	}
	if (is_loopback_url(url))
		return check_key(what, url, t, e);
	err_set(e, ERR_INVALID_INPUT, "%s %s: tcp:// is not encrypted, so it is for 127.0.0.1 only",
	    what, url);
	return err_hint(
	    e, "Between machines use tls+tcp://; `atoll certs init` creates the files for it.");
}
