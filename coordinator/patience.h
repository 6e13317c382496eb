#ifndef COORDINATOR_PATIENCE_H
#define COORDINATOR_PATIENCE_H
/*
 * How long a connection may take over what it is doing.  The HTTP library only knows time without a byte, which a client
 * that sends one byte a second never reaches.  Any thread.
 */

struct conn;
struct patience;

enum phase { WAITING, RECEIVING, WORKING, SENDING };

/*
 * With a thread that hangs up on whoever takes too long, and notices who has hung up.  It calls `beat` every
 * PATIENCE_BEAT_MS, which must not call this module.
 */
enum { PATIENCE_BEAT_MS = 15000 };
struct patience *patience_new(void (*beat)(void *), void *arg);

/* Every connection must be gone.  NULL is fine. */
void patience_free(struct patience *);

/* A connection begins, WAITING for a request; it enters a phase; it ends, before its socket is closed. */
struct conn *patience_add(struct patience *, int fd);
void patience_phase(struct patience *, struct conn *, enum phase);
void patience_drop(struct patience *, struct conn *);

/*
 * Call `left` once, on the thread, when the peer hangs up (or says that it sends no more) before the next phase.
 * It must not call this module.
 */
void patience_watch(struct patience *, struct conn *, void (*left)(void *), void *arg);
#endif
