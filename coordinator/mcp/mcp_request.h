#ifndef COORDINATOR_MCP_MCP_REQUEST_H
#define COORDINATOR_MCP_MCP_REQUEST_H
/* One MCP message on its way to its answer: what the files of the methods share. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/auth/rate_limits.h"
#include "coordinator/mcp/mcp.h"
#include "proto/base/buf.h"
#include "proto/record/json.h"
#include "proto/record/record.h"

#define RECORD(r)               struct r {
#define FIELD(r, t, f, rule, d) t_##t f;
#define END(r)                  }; extern const struct record rec_##r;
#define SUB(r, t, f, rule, d)
#define LIST(r, t, f, rule, d)
#include "coordinator/mcp/mcp.def"

enum {
	PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, INVALID_PARAMS = -32602,
	    INTERNAL = -32603,
	NO_RESOURCE = -32002,	/* handshake revisions alone */
	HEADER_MISMATCH = -32020, NO_CAPABILITY = -32021, UNSUPPORTED_VERSION = -32022
};

#define REVISION_STATELESS "2026-07-28"
#define LATEST_HANDSHAKE "2025-11-25"
#define META "io.modelcontextprotocol/"

/* What a client says that it can be asked. */
enum capability { CAN_SAMPLE = 1, CAN_ELICIT = 2, CAN_ROOTS = 4 };

struct err;
struct mcp_session;

/* Lives in its own arena, until its answer. */
struct mcp_request {
	struct coordinator *co;
	const struct caller *caller;
	struct arena *a;
	const struct mcp_transport *carrier;
	void *ctx;
	const char *id;			/* JSON; NULL: none */
	const char *method;		/* NULL: a response */
	const char *result, *error;	/* of a response, JSON */
	struct mcp_params p;
	bool modern;
	unsigned can;			/* enum capability, of the client */
	struct mcp_session *session;	/* of the handshake revisions; NULL: none */
	bool listed;			/* among the session's requests */
	const char *header;		/* one more, of the answer */
	/* these of params._meta, JSON, or NULL: the token of those who want to know; */
	const char *progress;
	const char *revision, *capabilities;	/* what 2026-07-28 says about the sender */
	struct limits_permit turn;		/* of its caller's: mcp_request_admit */
	int64_t since_ms;		/* when; 0: it is no such request, or its line of the log was spared */
	uint64_t times;
	char outcome[20];
};

/*
 * Before a request of an MCP client that is no call of a tool and yet costs something: it counts
 * among its caller's calls, until its answer.  0; or -1 after refusing.
 */
int mcp_request_admit(struct mcp_request *);

/* The same, and do it on a worker. */
void mcp_request_run_on_worker(struct mcp_request *, void (*run)(void *talk));

/* Give back what mcp_request_admit took, and tell the log; mcp_request_finish does. */
void mcp_request_release(struct mcp_request *);

/* Refuse with an error that says when to come again.  Always -1. */
int mcp_request_retry_later(struct mcp_request *, int status, const struct err *, int64_t retry_ms);

/* Answer; `body` is taken.  `t` is gone afterwards. */
void mcp_request_finish(struct mcp_request *, int status, struct buf *body);

/* Answer with a JSON-RPC error; `data` is JSON or NULL.  Always -1. */
__attribute__((format(printf, 5, 6))) int mcp_request_fail(
    struct mcp_request *, int status, int code, const char *data, const char *fmt, ...);

/* The head of an answer, up to where the result's own members follow; its end, and off it goes. */
void mcp_result_open(const struct mcp_request *, struct buf *);
/* of 2026-07-28: something is asked first */
void mcp_result_open_input(const struct mcp_request *, struct buf *);
void mcp_result_send(struct mcp_request *, struct buf *);

/* A notification before the answer; `params` is JSON. */
void mcp_request_notify(struct mcp_request *, const char *method, const char *params);

/*
 * Append what 2026-07-28 wants of results that may be kept for a while; nothing in other
 * revisions.
 */
void mcp_result_put_cache(const struct mcp_request *, struct buf *);

/*
 * Which page is asked for: where it begins among `n`.  0, or -1 after refusing a cursor that is
 * none of ours.
 */
int mcp_page_begin(struct mcp_request *, size_t n, size_t *from);

/* Append `,"nextCursor":…` when more than `PAGE` of `n` follow `from`. */
enum { PAGE = 100 };
void mcp_page_put_next(size_t from, size_t n, struct buf *);

/* A call of the one who talks, as far as views need one: their errors are in its `e`. */
struct call mcp_request_call(const struct mcp_request *);

/* Which capabilities an object of the client names. */
unsigned mcp_parse_capabilities(const char *object);

/*
 * A header of the message as it is meant: without blanks around, decoded when wrapped as
 * =?base64?…?=; NULL: absent or bad.
 */
const char *mcp_header(const struct mcp_input *, const char *name, struct arena *);

/* Whether the fixtures of the official suite are offered. */
bool mcp_conformance_enabled(const struct mcp_request *);

/* Whether the client may be told of such news. */
bool mcp_may_notify(const struct mcp_request *, enum mcp_change);

/* One function per row of mcp.def. */
#define METHOD(name, legacy, modern, run) void mcp_##run(struct mcp_request *);
#include "coordinator/mcp/mcp.def"
#endif
