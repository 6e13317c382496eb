const express = require("express");
const app = express();
const R = { a: { path: "/va" }, b: { path: "/vb" } };
for (const r of Object.values(R)) app.get(r.path, h);
Object.values(R).forEach(({ path }) => app.post(path, h));
for (const [k, { path }] of Object.entries(R)) app.put(path, h);
Object.keys(R).forEach((k) => app.patch("/k/" + k, h));
for (const k of Object.keys(R)) app.patch("/kk/" + k, h);
function h(req, res) {}
