#ifndef COORDINATOR_MCP_MCP_FIXTURES_H
#define COORDINATOR_MCP_MCP_FIXTURES_H
/*
 * The tools, prompts and resources that the official conformance suite expects
 * (mcp_fixtures.def).  They exist only with --conformance; without it the functions here find
 * nothing.
 */

#include <stdbool.h>

struct buf;
struct mcp_input;
struct mcp_request;

/* Append each of them as `,{…}` to a list that is not empty. */
void fixture_tools(const struct mcp_request *, struct buf *out);
void fixture_prompts(const struct mcp_request *, struct buf *out);
void fixture_resources(const struct mcp_request *, struct buf *out);
void fixture_templates(const struct mcp_request *, struct buf *out);

/* Answer the request and return true if it is for one of them. */
bool fixture_call(struct mcp_request *, const char *name, const char *args);
bool fixture_prompt(struct mcp_request *, const char *name, const char *args);
bool fixture_read(struct mcp_request *, const char *uri);

/* Whether the URI names one of the resources. */
bool fixture_resource(const struct mcp_request *, const char *uri);

/*
 * Check the headers Mcp-Param-…, which repeat the arguments that a tool's schema marks.  0, or -1
 * after refusing the request.
 */
int fixture_check_headers(struct mcp_request *, const struct mcp_input *);
#endif
