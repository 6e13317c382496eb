#ifndef COORDINATOR_TOOLS_TOOL_TABLE_H
#define COORDINATOR_TOOLS_TOOL_TABLE_H
/* The tools: each is a row of tools.def and a function tool_<name>. */

#include "coordinator/calls/call.h"

#define TOOL(name, in, out, where, hints, title, doc) void tool_##name(struct call *);
#include "coordinator/records/tools.def"
#endif
