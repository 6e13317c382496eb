#include "proto/wire/wire_proof.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/net/crypto.h"
#include "proto/wire/wire_keys.h"

enum { BUCKETS = 1024, SHARED = 2, WORDS = PROOF_REORDER / 64 };

static struct iovec part(const void *p, size_t n)
{
	return (struct iovec){ (void *)p, n };
}

/* The MACs.  Each begins with its purpose, so that none can be used for another one. */
static void mac_of(const struct keyring_key *k, const char *what, struct iovec x, struct iovec y,
    unsigned char out[PROOF_MAC])
{
	const struct iovec v[] = { part(what, strlen(what) + 1), x, y };

	crypto_mac(key_mac(k), v, LEN(v), out);
}

static void mac_of_proof(
    const struct keyring_key *k, const void *nonce, uint64_t time_ms, unsigned char out[PROOF_MAC])
{
	unsigned char t[8];

	for (int i = 0; i < 8; i++)
		t[i] = (unsigned char)(time_ms >> 8 * i);
	mac_of(k, "atoll prove", part(nonce, PROOF_BYTES), part(t, sizeof t), out);
}

static void mac_of_request(
    const struct keyring_key *k, const struct request *q, unsigned char out[PROOF_MAC])
{
	unsigned char count[8];
	const struct iovec v[] = { part("atoll request", sizeof "atoll request"),
		part(q->session.p, PROOF_BYTES), part(count, sizeof count),
		part(q->rpc, strlen(q->rpc) + 1), part(q->body.p, q->body.n) };

	for (int i = 0; i < 8; i++)
		count[i] = (unsigned char)(q->count >> 8 * i);
	crypto_mac(key_mac(k), v, LEN(v), out);
}

/* ---- client ---- */

void proof_begin(struct proof *p, struct keyring *ring)
{
	p->key = keyring_primary(ring);
	crypto_random(p->nonce, sizeof p->nonce);
	p->req = (struct prove_req){ (uint64_t)clock_real_ms(), { p->nonce, sizeof p->nonce },
		{ p->mac, sizeof p->mac } };
	mac_of_proof(p->key, p->nonce, p->req.time_ms, p->mac);
}

static bool is_proof(const struct proof *p, const struct prove_res *res)
{
	unsigned char mac[PROOF_MAC];

	if (res->session.n != PROOF_BYTES || res->mac.n != PROOF_MAC)
		return false;
	mac_of(
	    p->key, "atoll proof", part(p->nonce, PROOF_BYTES), part(res->session.p, PROOF_BYTES), mac);
	return crypto_equal_bytes(mac, res->mac.p, PROOF_MAC);
}

int proof_end(
    const struct proof *p, const struct prove_res *res, struct client_session *out, struct err *e)
{
	if (!is_proof(p, res))
		return err_set(e, ERR_FORBIDDEN,
		    "it does not prove that it has the cluster key, so no request is sent to it");
	*out = (struct client_session){ .key = p->key };
	memcpy(out->session, res->session.p, PROOF_BYTES);
	return 0;
}

void proof_sign(struct client_session *s, struct request *q, unsigned char mac[PROOF_MAC])
{
	q->session = (struct bytes){ s->session, PROOF_BYTES };
	q->count = ++s->count;
	mac_of_request(s->key, q, mac);
	q->mac = (struct bytes){ mac, PROOF_MAC };
}

/* ---- server ---- */

struct server_session {
	struct server_session *next;		/* in its bucket */
	const struct keyring_key *key;
	unsigned char id[PROOF_BYTES], nonce[PROOF_BYTES];
	uint64_t highest;		/* the highest number accepted */
	uint64_t seen_bits[WORDS];	/* a bit for each of the last PROOF_REORDER numbers */
	int64_t used_ms;
};

struct session_table {
	pthread_mutex_t lock;		/* guards the fields below */
	struct server_session *buckets[BUCKETS];
	size_t n;
};

struct session_table *session_table_new(void)
{
	struct session_table *s = xcalloc(1, sizeof *s);

	pthread_mutex_init(&s->lock, NULL);
	return s;
}

void session_table_free(struct session_table *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct server_session *x = s->buckets[i], *next; x; x = next) {
			next = x->next;
			free(x);
		}
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Of an id or a nonce.  Their first bytes are equal, so that both lead to the same bucket. */
static size_t bucket_of(const void *id)
{
	const unsigned char *p = id;

	return (p[0] | (size_t)p[1] << 8) % BUCKETS;
}

static struct server_session **find(struct session_table *s, const void *id)
{
	struct server_session **at = &s->buckets[bucket_of(id)];

	while (*at && memcmp((*at)->id, id, PROOF_BYTES))
		at = &(*at)->next;
	return at;
}

static void forget(struct session_table *s, struct server_session **at)
{
	struct server_session *x = *at;

	*at = x->next;
	free(x);
	s->n--;
}

static void forget_oldest(struct session_table *s)
{
	struct server_session **oldest = NULL;

	for (size_t i = 0; i < BUCKETS; i++)
		for (struct server_session **at = &s->buckets[i]; *at; at = &(*at)->next)
			if (!oldest || (*at)->used_ms < (*oldest)->used_ms)
				oldest = at;
	if (oldest)
		forget(s, oldest);
}

static bool nonce_used(const struct session_table *s, const void *nonce)
{
	for (const struct server_session *x = s->buckets[bucket_of(nonce)]; x; x = x->next)
		if (!memcmp(x->nonce, nonce, PROOF_BYTES))
			return true;
	return false;
}

static int check_clock(uint64_t time_ms, struct err *e)
{
	int64_t off = (int64_t)time_ms / 1000 - clock_real_ms() / 1000;

	if (off >= -PROOF_SKEW_S && off <= PROOF_SKEW_S)
		return 0;
	const char *where = "ahead of";
	if (off < 0) {
		where = "behind";
		off = -off;
	}
	err_set(e, ERR_FORBIDDEN,
	    "clocks differ: the client's is %lld s %s the server's, and at most %d s are allowed",
	    (long long)off, where, PROOF_SKEW_S);
	return err_hint(e, "Set the clocks of both machines, for example with NTP.");
}

/* The key that the client proves to have, or NULL. */
static const struct keyring_key *proven_key(struct keyring *ring, const struct prove_req *req)
{
	unsigned char mac[PROOF_MAC];

	for (size_t i = 0;; i++) {
		const struct keyring_key *k = keyring_at(ring, i);
		if (!k)
			return NULL;
		mac_of_proof(k, req->nonce.p, req->time_ms, mac);
		if (crypto_equal_bytes(mac, req->mac.p, PROOF_MAC))
			return k;
	}
}

static struct server_session *session_new(const struct keyring_key *key, const void *nonce)
{
	struct server_session *x = xcalloc(1, sizeof *x);

	x->key = key;
	x->used_ms = clock_ms();
	memcpy(x->nonce, nonce, PROOF_BYTES);
	memcpy(x->id, x->nonce, SHARED);
	crypto_random(x->id + SHARED, sizeof x->id - SHARED);
	return x;
}

/* Adds a session, and removes the oldest if there are too many.  False if its nonce was used. */
static bool add_session(struct session_table *s, struct server_session *x)
{
	pthread_mutex_lock(&s->lock);
	bool used = nonce_used(s, x->nonce);
	if (!used) {
		if (s->n >= PROOF_SESSIONS)
			forget_oldest(s);
		x->next = s->buckets[bucket_of(x->id)];
		s->buckets[bucket_of(x->id)] = x;
		s->n++;
	}
	pthread_mutex_unlock(&s->lock);
	return !used;
}

int session_table_accept(struct session_table *s, struct keyring *ring, const struct prove_req *req,
    struct prove_res *out, unsigned char room[PROOF_BYTES + PROOF_MAC], struct err *e)
{
	*out = (struct prove_res){ 0 };
	if (req->nonce.n != PROOF_BYTES || req->mac.n != PROOF_MAC)
		return err_set(e, ERR_INVALID_INPUT, "prove: the nonce or the MAC has a wrong length");
	const struct keyring_key *key = proven_key(ring, req);
	if (!key)
		return err_set(e, ERR_FORBIDDEN, "the cluster key is missing or wrong");
	if (check_clock(req->time_ms, e))
		return -1;
	struct server_session *x = session_new(key, req->nonce.p);
	memcpy(room, x->id, PROOF_BYTES);
	mac_of(key, "atoll proof", part(x->nonce, PROOF_BYTES), part(x->id, PROOF_BYTES),
	    room + PROOF_BYTES);
	if (!add_session(s, x)) {
		free(x);
		return err_set(e, ERR_FORBIDDEN,
		    "this proof of the cluster key was used before: somebody is replaying it");
	}
	*out = (struct prove_res){ { room, PROOF_BYTES }, { room + PROOF_BYTES, PROOF_MAC } };
	return 0;
}

/* Moves the window of tracked numbers up to `n`. */
static void advance(struct server_session *x, uint64_t n)
{
	if (n - x->highest >= PROOF_REORDER)
		memset(x->seen_bits, 0, sizeof x->seen_bits);
	else
		for (uint64_t i = x->highest + 1; i <= n; i++)
			x->seen_bits[i / 64 % WORDS] &= ~(1ull << i % 64);
	x->highest = n;
}

/* Records a request's number.  False if it was used, or is too old to be tracked. */
static bool record_number(struct server_session *x, uint64_t n)
{
	uint64_t *word = &x->seen_bits[n / 64 % WORDS], bit = 1ull << n % 64;

	if (!n)
		return false;
	if (n > x->highest)
		advance(x, n);
	else if (x->highest - n >= PROOF_REORDER || (*word & bit))
		return false;
	*word |= bit;
	return true;
}

/* The key of a session, or NULL if the session is unknown or its key is not accepted any more. */
static const struct keyring_key *session_key(
    struct session_table *s, struct keyring *ring, const void *id)
{
	const struct keyring_key *key = NULL;

	pthread_mutex_lock(&s->lock);
	struct server_session **at = find(s, id);
	if (*at && !keyring_has(ring, (*at)->key))
		forget(s, at);
	else if (*at)
		key = (*at)->key;
	pthread_mutex_unlock(&s->lock);
	return key;
}

/* Records the request's number in its session.  `*again` if the session is gone by now. */
static bool record_request(struct session_table *s, const struct request *q, bool *again)
{
	bool is_new = false;

	pthread_mutex_lock(&s->lock);
	struct server_session *x = *find(s, q->session.p);
	*again = !x;
	if (x) {
		is_new = record_number(x, q->count);
		x->used_ms = clock_ms();
	}
	pthread_mutex_unlock(&s->lock);
	return is_new;
}

int session_table_verify(struct session_table *s, struct keyring *ring, const struct request *q,
    bool *again, struct err *e)
{
	unsigned char mac[PROOF_MAC];

	*again = false;
	if (q->session.n != PROOF_BYTES || q->mac.n != PROOF_MAC)
		return err_set(e, ERR_FORBIDDEN,
		    "the cluster key is missing: the request carries no proof of it; upgrade the client if "
		    "it is older than these proofs");
	const struct keyring_key *key = session_key(s, ring, q->session.p);
	if (!key) {
		*again = true;
		return err_set(e, ERR_FORBIDDEN, "the session of the request is not known any more");
	}
	mac_of_request(key, q, mac);
	if (!crypto_equal_bytes(mac, q->mac.p, PROOF_MAC))
		return err_set(e, ERR_FORBIDDEN, "the signature of the request is wrong");
	if (record_request(s, q, again))
		return 0;
	return err_set(e, ERR_FORBIDDEN, "the request was sent before: somebody is replaying it");
}
