import { builder } from "./builder";

builder.queryFields((t) => ({ stock: t.int({ resolve: () => 0 }) }));
