const express = require("express");
const app = express();
const objs = [{ n: "get", p: "/oa" }, { n: "post", p: "/ob" }];
for (const { n, p } of objs) app[n](p, h);
const rows = [["get", "/ra"], ["post", "/rb"]];
rows.forEach(function ([n, p]) { app[n](p, h); });
rows.forEach(function (row) { app[row[0]]("/f" + row[1], h); });
objs.forEach(function (o) { app[o.n]("/g" + o.p, h); });
objs.forEach(({ n, p }) => app[n]("/d" + p, h));
const PREFIX = "/api";
const prefixed = objs.map((o) => ({ ...o, p: PREFIX + o.p }));
prefixed.forEach((o) => app[o.n](o.p, h));
const paths = ["/x", "/y"].map(p => "/mapped" + p);
for (const u of paths) app.get(u, h);
for (let i = 0; i < objs.length; i++) { app[objs[i].n]("/i" + objs[i].p, h); }
function h(req, res) {}
