#ifndef COORDINATOR_CLI_UP_MCP_CLIENTS_H
#define COORDINATOR_CLI_UP_MCP_CLIENTS_H
/* What to paste into MCP clients (data/clients.txt, which the page shows too). */

#include <stdbool.h>

struct buf;

/*
 * Append a line for each client that the table marks for `atoll up`.  If the coordinator requires
 * a `token`, the lines name the variable that contains it.
 */
void mcp_clients_put(struct buf *, const char *url, bool token);
#endif
