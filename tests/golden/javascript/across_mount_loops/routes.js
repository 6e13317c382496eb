const express = require("express");
const app = express();
const users = express.Router();
users.get("/users", h);
const orders = express.Router();
orders.get("/orders", h);
const routes = [
  { path: "/u", router: users },
  { path: "/o", router: orders },
];
for (const { path, router } of routes) app.use(path, router);
for (const r of routes) app.use("/again" + r.path, r.router);
for (const [p, r] of [["/pair", users]]) app.use(p, r);
for (const [name, r] of Object.entries({ eu: users, eo: orders })) app.use(`/${name}`, r);
function h(req, res) {}
