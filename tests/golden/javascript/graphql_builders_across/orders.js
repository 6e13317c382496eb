import { builder } from "./builder";

builder.queryField("orders", (t) => t.field({ resolve: () => [] }));
builder.mutationFields((t) => ({ cancelOrder: t.field({ resolve: cancel }) }));
