#ifndef PROTO_NET_TLS_H
#define PROTO_NET_TLS_H
/*
 * Mutual TLS (1.2 and 1.3) over whatever carries bytes, without a thread or a socket of its own.
 * Both ends must show a certificate of the CA bundle; names in it are not compared.  Files are
 * read again when they change: connections to come use them.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct tls;
struct tls_conn;

/*
 * What has come of a step.  WAIT: bytes have to come or go first; then it is to be tried again
 * with the same arguments.
 */
enum tls_status { TLS_DONE, TLS_WAIT, TLS_FAILED };

/* Moves up to `*n` bytes and sets how many. */
struct tls_io {
	enum tls_status (*read)(void *ctx, void *to, size_t *n);
	enum tls_status (*write)(void *ctx, const void *from, size_t *n);
	void *ctx;
};

/*
 * One end's files, PEM: the same for the same files, as long as the process lives.  NULL with
 * INVALID_INPUT that names the file. Any thread may use it.
 */
struct tls *tls_get(const char *ca, const char *cert, const char *key, bool server, struct err *e);

/* A connection with the files as they are now.  One thread at a time. */
struct tls_conn *tls_conn_new(struct tls *, struct tls_io);
void tls_conn_free(struct tls_conn *);	/* NULL is fine */

enum tls_status tls_handshake(struct tls_conn *);
/* `*n` 0: the other end has closed */
enum tls_status tls_read(struct tls_conn *, void *, size_t *n);
/* also before the handshake: then that comes first */
enum tls_status tls_write(struct tls_conn *, const void *, size_t *n);
void tls_close(struct tls_conn *);	/* tells the other end, as far as can be done at once */

/* After TLS_FAILED: what the other end is refused for, or refuses. */
enum tls_failure { TLS_CONNECTION_LOST, TLS_NOT_TLS, TLS_BAD_CERT, TLS_REFUSED, TLS_OTHER };
enum tls_failure tls_failure(const struct tls_conn *, char *text, size_t n);
#endif
