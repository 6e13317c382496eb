#ifndef COORDINATOR_MCP_MCP_RESOURCES_H
#define COORDINATOR_MCP_MCP_RESOURCES_H
/* The resources of MCP (mcp_resources.def): URIs, and what has changed of them. */

#include <stdbool.h>

struct audience;
struct coordinator;
struct talk;

/* Whether it names what the caller may see. */
bool resource_known(struct talk *, const char *uri);

/* Tell those who listen and may know: a repository has another index; a group's tables are others; what there is has changed. */
void resource_repo_changed(struct coordinator *, const char *repo_uri);
void resource_group_changed(struct coordinator *, const char *group, const struct audience *);
void resource_list_changed(struct coordinator *, const struct audience *);
#endif
