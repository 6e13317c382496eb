#ifndef COORDINATOR_CLI_UP_MCP_CLIENTS_H
#define COORDINATOR_CLI_UP_MCP_CLIENTS_H
/* What to paste into clients of MCP (data/clients.txt, which the page has too). */

#include <stdbool.h>

struct buf;

/*
 * A line for each client that the table names for `atoll up`; `token`: the coordinator wants one,
 * which is told as a variable.
 */
void mcp_clients_put(struct buf *, const char *url, bool token);
#endif
