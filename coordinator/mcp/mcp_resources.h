#ifndef COORDINATOR_MCP_MCP_RESOURCES_H
#define COORDINATOR_MCP_MCP_RESOURCES_H
/* The resources of MCP (mcp_resources.def): URIs, and what has changed of them. */

#include <stdbool.h>

struct mcp_audience;
struct coordinator;
struct mcp_request;

/* Whether it names what the caller may see. */
bool resource_visible(struct mcp_request *, const char *uri);

/*
 * Tell those who listen and may know: a repository has another index; a group's tables are others;
 * what there is has changed.
 */
void resource_repo_changed(struct coordinator *, const char *repo_uri);
void resource_group_changed(struct coordinator *, const char *group, const struct mcp_audience *);
void resource_list_changed(struct coordinator *, const struct mcp_audience *);
#endif
