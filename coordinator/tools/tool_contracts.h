#ifndef COORDINATOR_TOOLS_TOOL_CONTRACTS_H
#define COORDINATOR_TOOLS_TOOL_CONTRACTS_H
/* How tools read the tables of a group. */

struct call;
struct scoped_tables;
struct group_sync;

/*
 * Find the tables of a group, show them and end the call.  `show` returns 0, -1 with the call's `e`
 * set, or 1 if it ends the call itself.  If the tables were never built and `built` is not NULL,
 * they are built first, and `built` continues.
 */
void tool_show_tables(struct call *, const char *group,
    int (*show)(struct call *, const struct scoped_tables *),
    void (*built)(struct call *, struct group_sync *));
#endif
