#ifndef PROTO_NET_TLS_H
#define PROTO_NET_TLS_H
/*
 * Mutual TLS (1.2 and 1.3) over any carrier of bytes, without a thread or a socket of its own.
 * Both ends must present a certificate signed by the CA bundle; the names in it are not compared.
 * Files are read again when they change, for new connections.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct tls;
struct tls_conn;

/*
 * The result of a step.  TLS_WAIT: the carrier must send or receive bytes first; then repeat the
 * call with the same arguments.
 */
enum tls_status { TLS_DONE, TLS_WAIT, TLS_FAILED };

/* The carrier: each function moves up to `*n` bytes and sets `*n` to their number. */
struct tls_io {
	enum tls_status (*read)(void *ctx, void *to, size_t *n);
	enum tls_status (*write)(void *ctx, const void *from, size_t *n);
	void *ctx;
};

/*
 * The settings of one end, from PEM files.  The same files give the same object, which lives as
 * long as the process and is thread-safe.  NULL with INVALID_INPUT, naming the file.
 */
struct tls *tls_get(const char *ca, const char *cert, const char *key, bool server, struct err *e);

/* A connection that uses the files as they are now.  For one thread at a time. */
struct tls_conn *tls_conn_new(struct tls *, struct tls_io);
void tls_conn_free(struct tls_conn *);	/* NULL is fine */

enum tls_status tls_handshake(struct tls_conn *);
/* Sets `*n` to 0 when the peer has closed the connection. */
enum tls_status tls_read(struct tls_conn *, void *, size_t *n);
/* Does the handshake first if that is not done yet. */
enum tls_status tls_write(struct tls_conn *, const void *, size_t *n);
void tls_close(struct tls_conn *);	/* notifies the peer if that is possible without waiting */

/* After TLS_FAILED: why this end refuses the peer, or the peer this end. */
enum tls_failure { TLS_CONNECTION_LOST, TLS_NOT_TLS, TLS_BAD_CERT, TLS_REFUSED, TLS_OTHER };
enum tls_failure tls_failure(const struct tls_conn *, char *text, size_t n);
#endif
