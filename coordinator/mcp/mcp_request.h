#ifndef COORDINATOR_MCP_MCP_REQUEST_H
#define COORDINATOR_MCP_MCP_REQUEST_H
/* One MCP message until its answer, shared by the files of the methods. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/auth/rate_limits.h"
#include "coordinator/mcp/mcp.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
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
	NO_RESOURCE = -32002,	/* only in the handshake revisions */
	HEADER_MISMATCH = -32020, NO_CAPABILITY = -32021, UNSUPPORTED_VERSION = -32022
};

#define REVISION_STATELESS "2026-07-28"
#define LATEST_HANDSHAKE "2025-11-25"
#define META "io.modelcontextprotocol/"

/* The capabilities that a client declares. */
enum capability { CAN_SAMPLE = 1, CAN_ELICIT = 2, CAN_ROOTS = 4 };

struct err;
struct mcp_session;

/* Lives in its own arena until it is answered. */
struct mcp_request {
	struct coordinator *co;
	const struct caller *caller;
	struct arena *a;
	const struct mcp_transport *carrier;
	void *ctx;
	const char *id;			/* JSON, or NULL for a notification */
	const char *method;		/* NULL for a response */
	const char *result, *error;	/* of a response, JSON */
	struct mcp_params p;
	bool modern;
	unsigned can;			/* enum capability of the client */
	struct mcp_session *session;	/* of the handshake revisions, or NULL */
	bool listed;			/* it is among the session's requests */
	const char *header;		/* an additional header of the answer, or NULL */
	const char *progress;		/* params._meta.progressToken, JSON, or NULL */
	const char *revision, *capabilities;	/* members of params._meta in 2026-07-28, JSON */
	struct limits_permit turn;	/* of mcp_request_admit */
	int64_t since_ms;		/* when it was admitted; 0 = not */
	uint64_t times;
	char outcome[20];
};

/*
 * Admit a request that is not a tool call but costs as much: until its answer it counts as one of
 * the caller's calls.  0, or -1 after refusing it.
 */
int mcp_request_admit(struct mcp_request *);

/* The same, then run it on a worker thread. */
void mcp_request_run_on_worker(struct mcp_request *, void (*run)(void *request));

/* Release the permit of mcp_request_admit and write the audit log.  mcp_request_finish does it. */
void mcp_request_release(struct mcp_request *);

/* Refuse with an error that contains the time to wait.  Always -1. */
int mcp_request_retry_later(struct mcp_request *, int status, const struct err *, int64_t retry_ms);

/* Send the answer and free the request.  Takes ownership of `body`. */
void mcp_request_finish(struct mcp_request *, int status, struct buf *body);

/* Answer with a JSON-RPC error and free the request; `data` is JSON or NULL.  Always -1. */
__attribute__((format(printf, 5, 6))) int mcp_request_fail(
    struct mcp_request *, int status, int code, const char *data, const char *fmt, ...);

/*
 * Begin an answer, up to where the members of the result follow; mcp_result_send ends and sends it.
 * The second form is for the `input_required` results of 2026-07-28.
 */
void mcp_result_open(const struct mcp_request *, struct buf *);
void mcp_result_open_input(const struct mcp_request *, struct buf *);
void mcp_result_send(struct mcp_request *, struct buf *);

/* Send a notification before the answer; `params` is JSON. */
void mcp_request_notify(struct mcp_request *, const char *method, const char *params);

/*
 * Append the members with which 2026-07-28 allows clients to cache a result; nothing in other
 * revisions.
 */
void mcp_result_put_cache(const struct mcp_request *, struct buf *);

/*
 * Find the first of `n` elements on the requested page.  0, or -1 after refusing a cursor that is
 * not one of ours.
 */
int mcp_page_begin(struct mcp_request *, size_t n, size_t *from);

/* Append `,"nextCursor":…` if the page at `from` is not the last one of `n` elements. */
enum { PAGE = 100 };
void mcp_page_put_next(size_t from, size_t n, struct buf *);

/* A call of the request's caller, for views, which put their errors into its `e`. */
struct call mcp_request_call(const struct mcp_request *);

/* The capabilities, enum capability, that the client's JSON object declares. */
unsigned mcp_parse_capabilities(const char *object);

/*
 * The value of a header, without surrounding blanks, and decoded if it is =?base64?…?=.  NULL if it
 * is absent or invalid.
 */
const char *mcp_header(const struct mcp_input *, const char *name, struct arena *);

/* Whether the fixtures of the official suite are offered. */
bool mcp_conformance_enabled(const struct mcp_request *);

/* Whether changes of this kind occur. */
bool mcp_may_notify(const struct mcp_request *, enum mcp_change);

/* One function per row of mcp.def. */
#define METHOD(name, legacy, modern, run) void mcp_##run(struct mcp_request *);
#include "coordinator/mcp/mcp.def"
#endif
