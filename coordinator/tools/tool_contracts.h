#ifndef COORDINATOR_TOOLS_TOOL_CONTRACTS_H
#define COORDINATOR_TOOLS_TOOL_CONTRACTS_H
/* The way of a tool to the tables of a group. */

struct call;
struct scoped_tables;
struct group_sync;

/*
 * Show the tables of a group and end the call, unless `show` returns 1 and ends it itself.  Tables
 * that were never built are built first, when `built` is given, which goes on.
 */
void tool_show_tables(struct call *, const char *group,
    int (*show)(struct call *, const struct scoped_tables *),
    void (*built)(struct call *, struct group_sync *));
#endif
