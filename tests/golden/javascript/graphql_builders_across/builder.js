import SchemaBuilder from "@pothos/core";

export const builder = new SchemaBuilder({});
builder.queryType({});
