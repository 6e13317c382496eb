#ifndef COORDINATOR_MCP_H
#define COORDINATOR_MCP_H
/*
 * MCP: JSON-RPC messages in, one answer out, whatever carries them.  Two eras in one endpoint, decided by each message
 * alone: the handshake revisions 2024-11-05 to 2025-11-25, and 2026-07-28, where a message carries its own _meta.
 * Nothing is remembered between messages: there are no sessions.
 */

#include <stddef.h>

struct buf;
struct caller;
struct coordinator;
struct tool;

/* A message and the headers that came with it, each NULL when absent. */
struct mcp_input {
	const char *body;	/* NUL-terminated */
	size_t n;
	const char *version;	/* MCP-Protocol-Version */
	const char *method;	/* Mcp-Method */
	const char *name;	/* Mcp-Name */
};

/*
 * Handle one message.  `done` is called exactly once, perhaps before this returns, from any thread: with an HTTP status
 * and the body, which is taken (empty for 202).  The input is not kept; `caller` must live until then.  `ctx` is the
 * asker for call_abandon.
 */
void mcp_handle(struct coordinator *, const struct caller *, const struct mcp_input *,
    void (*done)(void *ctx, int status, struct buf *body), void *ctx);

/* Append a tool's name, title, description, schemas and annotations as members of a JSON object. */
void mcp_describe(const struct tool *, struct buf *out);
#endif
