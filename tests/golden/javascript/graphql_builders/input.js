import SchemaBuilder from "@pothos/core";
import { extendType, queryField } from "nexus";

const builder = new SchemaBuilder({});

builder.queryType({ fields: (t) => ({ hello: t.string({ resolve: () => "hi" }) }) });
builder.queryField("users", (t) => t.field({ resolve: () => [] }));
builder.mutationFields((t) => ({ createUser: t.field({ resolve: create }) }));

export const one = queryField("order", { type: "Order", resolve: () => null });
export const more = extendType({
  type: "Query",
  definition(t) {
    t.list.field("orders", { type: "Order", resolve: () => [] });
  },
});
export const inner = extendType({
  type: "User",
  definition(t) {
    t.list.field("friends", { type: "User" });
  },
});
