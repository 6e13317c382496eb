#ifndef COORDINATOR_TOOLS_TOOL_TABLE_H
#define COORDINATOR_TOOLS_TOOL_TABLE_H
/* The tools themselves: one row of tools.def, one function tool_<name>. */

#include "coordinator/calls/call.h"

/* One function per row of tools.def. */
#define TOOL(name, in, out, where, hints, title, doc) void tool_##name(struct call *);
#include "coordinator/records/tools.def"
#endif
