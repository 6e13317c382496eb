#include "coordinator/tools/tool_table.h"

const struct tool tools[] = {
#define TOOL(name, in, out, where, hints, title, doc) \
	{ #name, title, doc, &rec_##in, &rec_##out, where, hints, tool_##name },
#include "coordinator/records/tools.def"
	{ 0 }
};
