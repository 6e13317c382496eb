#include "coordinator/contracts/uses_sync.h"

#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/contracts/links/wanted_interfaces.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"

enum {
	CHUNK = 256 << 10,
	MAX_BYTES = 64 << 20,		/* of interfaces that one sync hands out; the next takes the rest */
	RESOLVE_MS = 60000		/* to resolve all code of a repository */
};

/* An interface that a member lacks. */
struct moved_interface {
	const char *hash;
	size_t owner;			/* member that publishes it */
	struct interface_req req;
	char *bytes;
	uint64_t size, have;
	bool failed;
};

/* A chunk to send, or NULL. */
struct uses_consumer {
	struct wanted_list wanted;
	struct use_interfaces_req req;
	bool asks;			/* in this round */
	struct strs missing;
	size_t at;			/* index in `missing` of the interface that is sent */
	struct put_interface_req put;
};

struct uses_sync {
	const char *group;
	const struct match_member *m;
	struct uses_member *v;
	struct uses_consumer *consumers;
	size_t n;
	bool handed_out;		/* the interfaces that were missing, as far as they could be had */
	uint64_t bytes;			/* of all interfaces that were fetched */
	struct map *moved;		/* hash -> struct moved_interface */
	size_t *asked, nasked;		/* members of the current fan-out */
	void (*then)(struct call *, void *);
	void *arg, *outer;
};

static void finish(struct call *c, struct uses_sync *s)
{
	map_free(s->moved);
	c->state = s->outer;
	s->then(c, s->arg);
}

/* ---- fan-outs to some of the members ---- */

static void begin_fanout(struct call *c, struct uses_sync *s)
{
	s->asked = arena_many(c->a, s->n + 1, size_t);
	s->nasked = 0;
}

static void run_fanout(struct call *c, struct uses_sync *s, enum rpc_id rpc, const void **reqs,
    int ms, void (*then)(struct call *, struct fanout *))
{
	struct member **m = arena_many(c->a, s->nasked + 1, struct member *);

	for (size_t i = 0; i < s->nasked; i++)
		m[i] = s->v[s->asked[i]].member;
	fanout(c, m, s->nasked, rpc, NULL, reqs, ms, then);
}

/* ---- sending ---- */

static void resolve(struct call *, struct uses_sync *);
static void send_chunks(struct call *, struct uses_sync *);

static const struct moved_interface *moved(const struct uses_sync *s, const char *hash)
{
	return map_get(s->moved, hash);
}

/* Go to the next interface of a member that is here; false at the end. */
static bool next_to_send(const struct uses_sync *s, struct uses_consumer *x)
{
	for (; x->at < x->missing.n; x->at++) {
		const struct moved_interface *i = moved(s, x->missing.v[x->at]);
		if (i && !i->failed && i->size && i->have == i->size)
			return true;
	}
	return false;
}

static void prepare_chunk(const struct uses_sync *s, struct uses_consumer *x)
{
	const struct moved_interface *i = moved(s, x->missing.v[x->at]);
	uint64_t offset = x->put.offset;

	x->put = (struct put_interface_req){
		.hash = i->hash,
		.size = i->size,
		.offset = offset,
		.chunk = { i->bytes + offset, MIN(i->size - offset, CHUNK) },
	};
}

static void with_sent(struct call *c, struct fanout *f)
{
	struct uses_sync *s = c->state;

	for (size_t k = 0; k < f->n; k++) {
		struct uses_consumer *x = &s->consumers[s->asked[k]];
		const struct put_interface_res *r = f->v[k].res;
		x->put.offset = r->have;
		if (f->v[k].e.code || r->have >= x->put.size) {
			x->at++;
			x->put.offset = 0;
		}
	}
	send_chunks(c, s);
}

static void send_chunks(struct call *c, struct uses_sync *s)
{
	const void **reqs = arena_many(c->a, s->n + 1, const void *);

	begin_fanout(c, s);
	for (size_t i = 0; i < s->n; i++) {
		struct uses_consumer *x = &s->consumers[i];
		if (!next_to_send(s, x))
			continue;
		prepare_chunk(s, x);
		reqs[s->nasked] = &x->put;
		s->asked[s->nasked++] = i;
	}
	if (s->nasked)
		run_fanout(c, s, RPC_put_interface, reqs, (int)c->o->contracts_deadline_ms, with_sent);
	else
		resolve(c, s);
}

/* ---- fetching ---- */

static void fetch_chunks(struct call *, struct uses_sync *);

static void take_chunk(
    struct call *c, struct uses_sync *s, struct moved_interface *i, const struct fanout_reply *k)
{
	const struct interface_res *r = k->res;

	if (!i->bytes && !k->e.code && r->size && s->bytes + r->size <= MAX_BYTES) {
		i->size = r->size;
		i->bytes = arena_get(c->a, r->size, 1);
		s->bytes += r->size;
	}
	if (k->e.code || !i->bytes || r->size != i->size || !r->chunk.n ||
	    r->chunk.n > i->size - i->have) {
		i->failed = true;
		return;
	}
	memcpy(i->bytes + i->have, r->chunk.p, r->chunk.n);
	i->have += r->chunk.n;
	i->req.offset = i->have;
}

/* The first interface of a member that is not here yet; NULL if there is none. */
static struct moved_interface *next_to_fetch(const struct uses_sync *s, size_t owner)
{
	for (size_t i = 0; i < map_len(s->moved); i++) {
		struct moved_interface *x = map_val(s->moved, i);
		bool done = x->failed || (x->size && x->have == x->size);
		if (x->owner == owner && !done)
			return x;
	}
	return NULL;
}

static void with_chunks(struct call *c, struct fanout *f)
{
	struct uses_sync *s = c->state;

	for (size_t k = 0; k < f->n; k++)
		take_chunk(c, s, next_to_fetch(s, s->asked[k]), &f->v[k]);
	fetch_chunks(c, s);
}

static void fetch_chunks(struct call *c, struct uses_sync *s)
{
	const void **reqs = arena_many(c->a, s->n + 1, const void *);

	begin_fanout(c, s);
	for (size_t i = 0; i < s->n; i++) {
		struct moved_interface *x = next_to_fetch(s, i);
		if (!x)
			continue;
		reqs[s->nasked] = &x->req;
		s->asked[s->nasked++] = i;
	}
	if (s->nasked)
		run_fanout(c, s, RPC_interface, reqs, (int)c->o->contracts_deadline_ms, with_chunks);
	else
		send_chunks(c, s);
}

/* ---- resolving ---- */

/* Note that an interface is missing somewhere, and who has it. */
static void note_missing(
    struct call *c, struct uses_sync *s, const char *hash, const char *repo_uri)
{
	void **at = map_at(s->moved, hash);

	for (size_t i = 0; !*at && i < s->n; i++) {
		if (strcmp(s->m[i].repo_uri, repo_uri))
			continue;
		struct moved_interface *x = arena_one(c->a, struct moved_interface);
		*x = (struct moved_interface){ .hash = hash, .owner = i, .req.hash = hash };
		*at = x;
	}
}

static void take_missing(struct call *c, struct uses_sync *s, struct uses_consumer *x)
{
	for (size_t i = 0; i < x->missing.n; i++)
		for (size_t k = 0; k < x->wanted.n; k++)
			if (!strcmp(x->wanted.v[k].hash, x->missing.v[i]))
				note_missing(c, s, x->wanted.v[k].hash, x->wanted.v[k].repo_uri);
}

static bool is_missing(const struct uses_consumer *x, const char *hash)
{
	for (size_t i = 0; i < x->missing.n; i++)
		if (!strcmp(x->missing.v[i], hash))
			return true;
	return false;
}

/* Note whose definitions a member may use without knowing it: all, or those it has no interface of. */
static void note_unknown(
    struct call *c, struct uses_member *v, const struct uses_consumer *x, bool all)
{
	v->unknown = (t_strs){ .v = arena_many(c->a, x->wanted.n + 1, const char *) };
	for (size_t i = 0; i < x->wanted.n; i++) {
		const struct wanted_interface *w = &x->wanted.v[i];
		bool listed = v->unknown.n && !strcmp(v->unknown.v[v->unknown.n - 1], w->repo_uri);
		if (!listed && (all || is_missing(x, w->hash)))
			v->unknown.v[v->unknown.n++] = w->repo_uri;
	}
}

static void with_resolved(struct call *c, struct fanout *f)
{
	struct uses_sync *s = c->state;
	bool any = false;

	for (size_t k = 0; k < f->n; k++) {
		size_t i = s->asked[k];
		struct uses_consumer *x = &s->consumers[i];
		const struct use_interfaces_res *r = f->v[k].res;
		x->asks = false;
		s->v[i].problem = NULL;
		if (f->v[k].e.code) {
			s->v[i].problem = f->v[k].e.msg;
			note_unknown(c, &s->v[i], x, true);
			continue;
		}
		x->missing = r->missing;
		x->at = 0;
		note_unknown(c, &s->v[i], x, false);
		s->v[i].answered = !r->missing.n || s->handed_out;
		s->v[i].totals = *r;
		if (s->v[i].answered)
			continue;
		x->asks = x->req.anyway = any = true;
		take_missing(c, s, x);
	}
	s->handed_out = true;
	if (any)
		fetch_chunks(c, s);
	else
		finish(c, s);
}

static void resolve(struct call *c, struct uses_sync *s)
{
	const void **reqs = arena_many(c->a, s->n + 1, const void *);

	begin_fanout(c, s);
	for (size_t i = 0; i < s->n; i++) {
		struct uses_consumer *x = &s->consumers[i];
		if (!x->asks)
			continue;
		reqs[s->nasked] = &x->req;
		s->asked[s->nasked++] = i;
	}
	if (s->nasked)
		run_fanout(c, s, RPC_use_interfaces, reqs, RESOLVE_MS, with_resolved);
	else
		finish(c, s);
}

void uses_sync_run(struct call *c, const char *group, const struct match_member *m,
    struct uses_member *v, size_t n, void (*then)(struct call *, void *), void *arg)
{
	struct uses_sync *s = arena_one(c->a, struct uses_sync);
	struct wanted_list *wanted = wanted_interfaces_find(m, n, c->a);

	*s = (struct uses_sync){
		.group = group,
		.m = m,
		.v = v,
		.consumers = arena_many(c->a, n + 1, struct uses_consumer),
		.n = n,
		.moved = map_new(),
		.then = then,
		.arg = arg,
		.outer = c->state,
	};
	c->state = s;
	for (size_t i = 0; i < n; i++) {
		struct uses_consumer *x = &s->consumers[i];
		x->wanted = wanted[i];
		x->req.group = group;
		x->req.interfaces.v = wanted[i].v;
		x->req.interfaces.n = wanted[i].n;
		/* who uses nothing any more must hear it once */
		x->asks = wanted[i].n || (m[i].facts && m[i].facts->uses.n);
	}
	resolve(c, s);
}
