#ifndef TESTS_FRAMES_H
#define TESTS_FRAMES_H
/*
 * Generates messages of every RPC from the rows of schema.def: valid, or with one malformed field.  New RPCs and fields are included
 * automatically.  Also nng's wire format on a plain socket (SP), to send messages that the wire module would never send.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/record/record.h"

/* ---- all RPCs: those of shards, then those that the wire module and the coordinator answer ---- */

static const struct rpc others[] = {
	{ "prove", &rec_prove_req, &rec_prove_res, false, "" },
	{ "announce", &rec_hello, &rec_announce_res, false, "" },
	{ "peers", &rec_peers_req, &rec_peers_res, false, "" },
};
enum { NALL = NRPCS + 3 };

static inline const struct rpc *frame_rpc(size_t i)
{
	return i < NRPCS ? &rpcs[i] : &others[i - NRPCS];
}

/* ---- a record in msgpack ---- */

enum malformation {
	ABSENT,
	NIL,
	FLAG,
	NUMBER,
	NEGATIVE,
	REAL,
	TEXT,
	BYTES,
	LIST_OF_TEXT,
	LIST_OF_EMPTY,
	MAP,
	LARGEST,
	NMALFORMATIONS
};

struct frame {
	struct buf *out;
	size_t at; /* index of the malformed field, in writing order; SIZE_MAX = none */
	enum malformation how;
	bool whole; /* all fields, not only required ones and those that contain the malformed one */
	size_t largest; /* bytes of the largest text */
	size_t here; /* number of fields so far */
	const struct record *record; /* of the malformed field, once it was reached */
	const struct field *field;
};

/* Values for fields with these names, in any record or in one (`record.name`); they fit the repository of make_repo (shard.sh). */
struct sample {
	const char *name, *text;
};

static const struct sample samples[] = {
	{ "path", "src/users.py" },
	{ "symbol", "load_users" },
	{ "query", "where are users loaded" },
	{ "mode", "hybrid" },
	{ "granularity", "symbol" },
	{ "kinds", "method" },
	{ "languages", "python" },
	{ "kind", "method" },
	{ "base", "HEAD" },
	{ "head", "HEAD" },
	{ "path_prefix", "src" },
	{ "terms", "users" },
	{ "term", "users" },
	{ "status", "ready" },
	{ "repo_uri", "h.example/a/b" },
	{ "name", "b" },
	{ "replica", "r" },
	{ "endpoint", "ipc:///nowhere/atoll.ipc" },
	{ "commit", "c0ffee" },
	{ "commits", "c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff" },
	{ "embedder", "" },
	{ "diff",
	    "--- a/src/users.py\n+++ b/src/users.py\n@@ -4,1 +4,1 @@\n-class UserService:\n+class UserServices:\n" },
	{ "side", "provides" },
	{ "method", "GET" },
	{ "framework", "express" },
	{ "file", "src/users.py" },
	{ "job", "j1" },
	{ "fact.kind", "http" },
	{ "route_row.kind", "http" },
	{ "fact.path", "/api/users" },
};

static inline const char *sample_of(const char *record, const char *name)
{
	const char *text = "x";
	char full[100];

	snprintf(full, sizeof full, "%s.%s", record, name);
	for (size_t i = 0; i < LEN(samples); i++)
		if (!strcmp(samples[i].name, name) || !strcmp(samples[i].name, full))
			text = samples[i].text; /* rows for one record come later */
	return text;
}

static inline void put_be(struct buf *b, uint64_t v, int bytes)
{
	while (bytes--)
		buf_byte(b, (char)(v >> 8 * bytes));
}

static inline void put_head(struct buf *b, unsigned char type, uint64_t v, int bytes)
{
	buf_byte(b, (char)type);
	put_be(b, v, bytes);
}

static inline void put_text(struct buf *b, unsigned char type, const char *s, size_t n)
{
	put_head(b, type, n, 4);
	buf_put(b, s, n);
}

enum {
	MP_BIN = 0xc6,
	MP_REAL = 0xcb,
	MP_UNSIGNED = 0xcf,
	MP_SIGNED = 0xd3,
	MP_STR = 0xdb,
	MP_ARRAY = 0xdd,
	MP_MAP = 0xdf
};

static inline void frame_record(struct frame *w, const struct record *r);

static inline void put_sample(struct frame *w, const struct record *r, const struct field *f)
{
	const char *s = sample_of(r->name, f->name);

	switch (f->type) {
	case T_str:
	case T_json: put_text(w->out, MP_STR, s, strlen(s)); break;
	case T_u64:
	case T_i64:
		put_head(w->out, MP_UNSIGNED,
		    strcmp(f->name, "protocol") && strcmp(f->name, "lowest") ? 3 : 1, 8);
		break;
	case T_f64: put_head(w->out, MP_REAL, 0x3fe0000000000000, 8); break;
	case T_flag: buf_byte(w->out, (char)0xc3); break;
	case T_bytes:
		put_head(w->out, MP_BIN, 1024, 4);
		for (int i = 0; i < 256; i++)
			put_be(w->out, 0x0000803d, 4); /* 0.0625 in little endian */
		break;
	case T_strs:
		put_head(w->out, MP_ARRAY, 1, 4);
		put_text(w->out, MP_STR, s, strlen(s));
		break;
	case T_sub: frame_record(w, f->of); break;
	case T_list:
		put_head(w->out, MP_ARRAY, 1, 4);
		frame_record(w, f->of);
		break;
	}
}

static inline void put_long(struct frame *w, unsigned char type)
{
	put_head(w->out, type, w->largest, 4);
	for (size_t i = 0; i < w->largest; i++)
		buf_byte(w->out, 'x');
}

static inline void put_largest(struct frame *w, const struct field *f)
{
	size_t n = w->largest / 64;

	switch (f->type) {
	case T_str:
	case T_json: put_long(w, MP_STR); break;
	case T_u64: put_head(w->out, MP_UNSIGNED, UINT64_MAX, 8); break;
	case T_i64: put_head(w->out, MP_SIGNED, (uint64_t)INT64_MIN, 8); break;
	case T_f64: put_head(w->out, MP_REAL, 0x7fefffffffffffff, 8); break;
	case T_flag: buf_byte(w->out, (char)0xc3); break;
	case T_bytes: put_long(w, MP_BIN); break;
	case T_strs:
		put_head(w->out, MP_ARRAY, n, 4);
		for (size_t i = 0; i < n; i++)
			put_text(w->out, MP_STR, "users", 5);
		break;
	case T_sub: frame_record(w, f->of); break;
	case T_list:
		put_head(w->out, MP_ARRAY, n, 4);
		for (size_t i = 0; i < n; i++)
			frame_record(w, f->of);
		break;
	}
}

static inline void put_malformed(struct frame *w, const struct field *f)
{
	switch (w->how) {
	case NIL: buf_byte(w->out, (char)0xc0); break;
	case FLAG: buf_byte(w->out, (char)0xc2); break;
	case NUMBER: put_head(w->out, MP_UNSIGNED, UINT64_MAX, 8); break;
	case NEGATIVE: put_head(w->out, MP_SIGNED, (uint64_t)INT64_MIN, 8); break;
	case REAL: put_head(w->out, MP_REAL, 0x7ff8000000000000, 8); break; /* not a number */
	case TEXT: put_text(w->out, MP_STR, "", 0); break;
	case BYTES: put_text(w->out, MP_BIN, "\0", 1); break;
	case LIST_OF_TEXT:
		put_head(w->out, MP_ARRAY, 1, 4);
		put_text(w->out, MP_STR, "", 0);
		break;
	case LIST_OF_EMPTY:
		put_head(w->out, MP_ARRAY, 2, 4);
		put_be(w->out, 0x8080, 2);
		break;
	case MAP: put_head(w->out, MP_MAP, 0, 4); break;
	case LARGEST: put_largest(w, f); break;
	case ABSENT:
	case NMALFORMATIONS: break;
	}
}

/* The number of fields of the record, including nested ones. */
static inline size_t frame_fields(const struct record *r)
{
	size_t n = r->nfields;

	for (size_t i = 0; i < r->nfields; i++)
		n += r->fields[i].of ? frame_fields(r->fields[i].of) : 0;
	return n;
}

/* This field excludes the other optional ones: together they are refused. */
static inline bool is_alternative(const struct record *r, const struct field *f)
{
	return r == &rec_impact_req && !strcmp(f->name, "symbol");
}

/* Whether the field is left out; it and its nested fields count nevertheless. */
static inline bool is_left_out(struct frame *w, const struct record *r, const struct field *f)
{
	size_t below = f->of ? frame_fields(f->of) : 0;
	bool malformed = w->at == w->here, leads = w->at > w->here && w->at <= w->here + below;
	bool there = is_alternative(r, f) ? !w->whole : w->whole || f->rule.must;

	if (!(malformed && w->how == ABSENT) && (there || malformed || leads))
		return false;
	w->here += below + 1;
	return true;
}

static inline void frame_record(struct frame *w, const struct record *r)
{
	size_t count = w->out->n + 1, n = 0;

	put_head(w->out, MP_MAP, 0, 4);
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		if (w->at == w->here && !w->field) {
			w->record = r;
			w->field = f;
		}
		if (is_left_out(w, r, f))
			continue;
		bool malformed = w->at == w->here++;
		size_t after = w->here + (f->of ? frame_fields(f->of) : 0);
		put_text(w->out, MP_STR, f->name, strlen(f->name));
		if (malformed)
			put_malformed(w, f);
		else
			put_sample(w, r, f);
		w->here = after;
		n++;
	}
	for (int i = 0; i < 4; i++)
		w->out->p[count + (size_t)i] = (char)(n >> 8 * (3 - i));
}

/* ---- SP over a socket ---- */

struct sp {
	int fd;
	bool ipc; /* each message has one byte before its length */
	struct buf in; /* received and not yet taken */
	size_t taken;
};

static inline int sp_socket(const char *url, bool *ipc)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	*ipc = !strncmp(url, "ipc://", 6);
	snprintf(un.sun_path, sizeof un.sun_path, "%s", url + 6);
	in.sin_port = htons((uint16_t)atoi(strrchr(url, ':') + 1));
	int fd = socket(*ipc ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*ipc ? connect(fd, (struct sockaddr *)&un, sizeof un) :
	           connect(fd, (struct sockaddr *)&in, sizeof in)) {
		close(fd);
		return -1;
	}
	return fd;
}

static inline bool sp_write(int fd, const void *p, size_t n)
{
	for (ssize_t k; n; p = (const char *)p + k, n -= (size_t)k)
		if ((k = send(fd, p, n, MSG_NOSIGNAL)) <= 0)
			return false;
	return true;
}

/* Read until `n` untaken bytes are buffered.  False if the peer closes the connection or sends nothing for `ms`. */
static inline bool sp_await(struct sp *s, size_t n, int ms)
{
	char some[65536];

	while (s->in.n - s->taken < n) {
		struct pollfd p = { .fd = s->fd, .events = POLLIN };
		if (poll(&p, 1, ms) < 1)
			return false;
		ssize_t k = read(s->fd, some, sizeof some);
		if (k <= 0)
			return false;
		if (s->taken == s->in.n)
			s->taken = s->in.n = 0;
		buf_put(&s->in, some, (size_t)k);
	}
	return true;
}

/* Listen on a socket path.  -1 with errno on failure. */
static inline int sp_listen(const char *path)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(un.sun_path, sizeof un.sun_path, "%s", path);
	return bind(fd, (struct sockaddr *)&un, sizeof un) || listen(fd, 64) ? -1 : fd;
}

/* Accept a connection and do the handshake of a replier. */
static inline bool sp_accept(struct sp *s, int listener)
{
	*s = (struct sp){ .fd = accept(listener, NULL, NULL), .ipc = true };
	bool up = s->fd >= 0 && sp_write(s->fd, "\0SP\0\0\x31\0\0", 8) && sp_await(s, 8, 10000);
	s->taken += up ? 8 : 0;
	return up;
}

/* Connect and do the handshake of a requester. */
static inline bool sp_open(struct sp *s, const char *url)
{
	*s = (struct sp){ 0 };
	s->fd = sp_socket(url, &s->ipc);
	if (s->fd < 0)
		return false;
	bool up = sp_write(s->fd, "\0SP\0\0\x30\0\0", 8) && sp_await(s, 8, 10000);
	s->taken += up ? 8 : 0;
	return up;
}

static inline void sp_close(struct sp *s)
{
	close(s->fd);
	buf_free(&s->in);
}

/* Append a message in wire format, with its number. */
static inline void sp_put(const struct sp *s, struct buf *out, uint32_t id, const void *p, size_t n)
{
	if (s->ipc)
		buf_byte(out, 1);
	put_be(out, n + 4, 8);
	put_be(out, 0x80000000u | id, 4);
	buf_put(out, p, n);
}

/* Take a complete message, valid until the next read: its number and body.  False if there is none. */
static inline bool sp_take(struct sp *s, uint32_t *id, const char **p, size_t *n)
{
	size_t head = s->ipc ? 9 : 8;
	const unsigned char *at = (const unsigned char *)s->in.p + s->taken;
	uint64_t length = 0;

	if (s->in.n - s->taken < head)
		return false;
	for (size_t i = head - 8; i < head; i++)
		length = length << 8 | at[i];
	if (length < 4 || s->in.n - s->taken - head < length)
		return false;
	*id = ((uint32_t)at[head] << 24 | (uint32_t)at[head + 1] << 16 | (uint32_t)at[head + 2] << 8 |
	          at[head + 3]) &
	    0x7fffffff;
	*p = (const char *)at + head + 4;
	*n = length - 4;
	s->taken += head + length;
	return true;
}

/* Wait for the next message. */
static inline bool sp_next(struct sp *s, uint32_t *id, const char **p, size_t *n, int ms)
{
	while (!sp_take(s, id, p, n))
		if (!sp_await(s, s->in.n - s->taken + 1, ms))
			return false;
	return true;
}
#endif
