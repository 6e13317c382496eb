#ifndef COORDINATOR_MCP_MCP_INPUT_REQUESTS_H
#define COORDINATOR_MCP_MCP_INPUT_REQUESTS_H
/*
 * Requests that first ask their client for input.  In 2026-07-28 the answer is `input_required`
 * with the questions; the client repeats the request with the answers and with a state that only we
 * can write (HMAC over state, caller, method, name and time).  In the handshake revisions we send
 * our own requests on the answer's stream.
 */

#include <stddef.h>

#include "proto/base/buf.h"

struct mcp_request;

enum { ASKS_MAX = 4 };

/* One round: its input, and what the handler adds to it. */
struct input_round {
	struct mcp_request *t;
	const char *name, *args;	/* of the tool or prompt; the arguments are a JSON object */
	const char *answers;		/* JSON object by `key`, or NULL in the first round */
	const char *state;		/* next_state of the last round, or NULL */
	/* the questions; params are JSON */
	struct { const char *key, *method, *params; } asks[ASKS_MAX];
	size_t nasks;
	const char *next_state;		/* for the next round, or NULL */
	struct buf members;		/* members of the result, if there are no questions */
};

/* The client's answer to the question `key`, a JSON object, or NULL. */
const char *input_round_answer(const struct input_round *, const char *key);

/* Add a question. */
void input_round_ask(struct input_round *, const char *key, const char *method, const char *params);

/* Answer the request with `handler`, which runs in rounds until it asks nothing more. */
void input_rounds_run(struct mcp_request *, const char *name, const char *args,
    void (*handler)(struct input_round *));
#endif
