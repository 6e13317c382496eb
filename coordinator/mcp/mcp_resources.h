#ifndef COORDINATOR_MCP_MCP_RESOURCES_H
#define COORDINATOR_MCP_MCP_RESOURCES_H
/* The resources of MCP (mcp_resources.def): their URIs and notifications. */

#include <stdbool.h>

struct mcp_audience;
struct coordinator;
struct mcp_request;

/* Whether the URI names a resource that the caller may see. */
bool resource_visible(struct mcp_request *, const char *uri);

/*
 * Notify the listeners that may see it: a repository's index has changed, a group's tables have
 * changed, or repositories or groups have come or gone.
 */
void resource_repo_changed(struct coordinator *, const char *repo_uri);
void resource_group_changed(struct coordinator *, const char *group, const struct mcp_audience *);
void resource_list_changed(struct coordinator *, const struct mcp_audience *);
#endif
