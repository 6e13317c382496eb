const express = require("express");
const app = express();

function h(req, res) {}

function mount(add) {
  add("/mounted", h);
}

function mountBelow(prefix, add) {
  add(prefix + "/below", h);
}

mount((path, handler) => app.get("/closure" + path, handler));
const post = (path, handler) => app.post("/named" + path, handler);
mount(post);
mountBelow("/v2", (path, handler) => app.put(path, handler));
