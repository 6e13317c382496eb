#ifndef COORDINATOR_MCP_MCP_INPUT_REQUESTS_H
#define COORDINATOR_MCP_MCP_INPUT_REQUESTS_H
/*
 * Requests that first ask their client for something.  In 2026-07-28 the answer says what
 * (`input_required`), and the request comes again with it and with a state that only we can write
 * (HMAC over state, caller, method, name and time). In the handshake revisions the same is asked
 * by requests of ours on the answer's stream.
 */

#include <stddef.h>

#include "proto/base/buf.h"

struct mcp_request;

enum { ASKS_MAX = 4 };

/* A round: what is known, and what the handler makes of it. */
struct input_round {
	struct mcp_request *t;
	const char *name, *args;	/* of the tool or prompt; its arguments, an object */
	const char *answers;		/* JSON object by `key`; NULL: first round */
	const char *state;		/* what the last round left, or NULL */
	/* what is still wanted; params are JSON */
	struct { const char *key, *method, *params; } asks[ASKS_MAX];
	size_t nasks;
	const char *next_state;		/* carried to the next round; NULL: none */
	struct buf members;		/* of the result, when nothing is asked */
};

/* The answer of the client to `key` as JSON object, or NULL. */
const char *input_round_answer(const struct input_round *, const char *key);

/* Ask for it. */
void input_round_ask(struct input_round *, const char *key, const char *method, const char *params);

/* Answer the request by `handler`, in as many rounds as it wants. */
void input_rounds_run(struct mcp_request *, const char *name, const char *args,
    void (*handler)(struct input_round *));
#endif
