#ifndef COORDINATOR_MCP_MCP_FIXTURES_H
#define COORDINATOR_MCP_MCP_FIXTURES_H
/*
 * The tools, prompts and resources that the official conformance suite wants to find, by name; all
 * of them in mcp_fixtures.def.  They exist only with --conformance: without it every function here
 * finds nothing.
 */

#include <stdbool.h>

struct buf;
struct mcp_input;
struct mcp_request;

/* Append them to a list that is not empty: `,{…}` each. */
void fixture_tools(const struct mcp_request *, struct buf *out);
void fixture_prompts(const struct mcp_request *, struct buf *out);
void fixture_resources(const struct mcp_request *, struct buf *out);
void fixture_templates(const struct mcp_request *, struct buf *out);

/* Answer the request when it is for one of them. */
bool fixture_call(struct mcp_request *, const char *name, const char *args);
bool fixture_prompt(struct mcp_request *, const char *name, const char *args);
bool fixture_read(struct mcp_request *, const char *uri);

/* Whether there is such a resource. */
bool fixture_resource(const struct mcp_request *, const char *uri);

/*
 * Headers Mcp-Param-… of a tools/call repeat the arguments that the tool's schema marks.  0, or -1
 * after refusing.
 */
int fixture_check_headers(struct mcp_request *, const struct mcp_input *);
#endif
