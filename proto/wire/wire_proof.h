#ifndef PROTO_WIRE_WIRE_PROOF_H
#define PROTO_WIRE_WIRE_PROOF_H
/*
 * Mutual authentication by the cluster key, which is never sent.  The client proves first that it
 * has the key (nonce and time), gets a session with the server's proof, and numbers its requests in
 * the session; no number is accepted twice.  Only wire uses this.
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
 * The keys of a process: the configured one, or the lines of a file (the first proves, all are
 * accepted), which is checked for changes every second.  The same trust gives the same ring, which
 * lives as long as the process.  NULL if no key is configured.  Thread-safe.
 */
struct keyring *keyring_of(const struct wire_trust *);

/* The key to prove with, or NULL without one; and whether a key is still accepted. */
const struct keyring_key *keyring_primary(struct keyring *);
bool keyring_has(struct keyring *, const struct keyring_key *);

/* ---- client ---- */

struct proof {			/* what was sent, until the answer arrives */
	const struct keyring_key *key;
	unsigned char nonce[PROOF_BYTES], mac[PROOF_MAC];
	struct prove_req req;
};

struct client_session {
	const struct keyring_key *key;	/* NULL if there is no session */
	unsigned char session[PROOF_BYTES];
	uint64_t count;
};

/* Make a proof: `req` is the request to send.  The ring must have a key. */
void proof_begin(struct proof *, struct keyring *);

/* Check the server's proof: 0 and the session, or -1 with FORBIDDEN. */
int proof_end(
    const struct proof *, const struct prove_res *, struct client_session *, struct err *);

/* Sign a request with its next number and a MAC.  `mac` must live as long as `q`. */
void proof_sign(struct client_session *, struct request *q, unsigned char mac[PROOF_MAC]);

/* ---- server ---- */

struct session_table;

struct session_table *session_table_new(void);
void session_table_free(struct session_table *);		/* NULL is fine */

/*
 * Accept a proof and open a session; `out` points into `room`.  -1 with FORBIDDEN: a wrong key, a
 * clock that is more than PROOF_SKEW_S off (the message contains the difference), or a proof that
 * was used before.  Beyond PROOF_SESSIONS the least recently used session is removed.
 */
int session_table_accept(struct session_table *, struct keyring *, const struct prove_req *,
    struct prove_res *out, unsigned char room[PROOF_BYTES + PROOF_MAC], struct err *);

/* Verify a request: 0, or -1 with FORBIDDEN; `*again` if only a new proof is needed. */
int session_table_verify(
    struct session_table *, struct keyring *, const struct request *, bool *again, struct err *);
#endif
