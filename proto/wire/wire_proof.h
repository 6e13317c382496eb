#ifndef PROTO_WIRE_WIRE_PROOF_H
#define PROTO_WIRE_WIRE_PROOF_H
/*
 * Who may talk at all: both ends show that they have the cluster key, without sending it.  Who
 * asks proves itself first (nonce and time), gets a session with the other's proof, and numbers
 * its requests in it; none is taken twice. Of wire alone.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct err;
struct wire_trust;

enum { PROOF_BYTES = 16, PROOF_MAC = 32, PROOF_SKEW_S = 120, PROOF_SESSIONS = 16384,
    PROOF_REORDER = 1024 };

/* ---- keys ---- */

struct keyring_key;

/*
 * The keys of a process: one that was given, or the lines of a file (the first proves, all are
 * accepted), which is looked at again every second.  The same trust gives the same ring; it lives
 * as long as the process.  NULL when there is no key at all.
 */
struct keyring *keyring_of(const struct wire_trust *);

/* The key that proves, NULL without ring; whether a key is accepted still. */
const struct keyring_key *keyring_primary(struct keyring *);
bool keyring_has(struct keyring *, const struct keyring_key *);

/* ---- who asks ---- */

struct proof {			/* what was sent, until the answer is there */
	const struct keyring_key *key;
	unsigned char nonce[PROOF_BYTES], mac[PROOF_MAC];
	struct prove_req req;
};

struct client_session {			/* session */
	const struct keyring_key *key;	/* NULL: none */
	unsigned char session[PROOF_BYTES];
	uint64_t count;
};

void proof_begin(struct proof *, struct keyring *);

/* Whether the other end has the key, too: 0 and the session, or -1 with FORBIDDEN. */
int proof_end(
    const struct proof *, const struct prove_res *, struct client_session *, struct err *);

/* Sign a request: its next number and the code, which `mac` must hold as long as `q`. */
void proof_sign(struct client_session *, struct request *q, unsigned char mac[PROOF_MAC]);

/* ---- who is asked ---- */

struct session_table;

struct session_table *session_table_new(void);
void session_table_free(struct session_table *);		/* NULL is fine */

/*
 * Take a proof in: `out` points into `room`.  -1 with FORBIDDEN: wrong key, a clock that is
 * PROOF_SKEW_S off (the message says by how much), or a proof that came before.  The one that was
 * used longest ago of PROOF_SESSIONS goes.
 */
int session_table_accept(struct session_table *, struct keyring *, const struct prove_req *,
    struct prove_res *out, unsigned char room[PROOF_BYTES + PROOF_MAC], struct err *);

/* A request: 0, or -1 with FORBIDDEN; `*again` when only a new proof is needed. */
int session_table_verify(
    struct session_table *, struct keyring *, const struct request *, bool *again, struct err *);
#endif
