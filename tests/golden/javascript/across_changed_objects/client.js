const axios = require("axios");
function orders() {
  const opts = {};
  opts.method = "POST";
  opts.url = "http://shop/orders";
  return axios(opts);
}
function users() {
  const opts = { method: "GET" };
  opts["url"] = "http://shop/users";
  return axios.request(opts);
}
function send(opts) { opts.url = "http://shop" + opts.path; return axios(opts); }
function things() { return send({ method: "PUT", path: "/things" }); }
function merged() {
  const opts = { method: "DELETE" };
  Object.assign(opts, { url: "http://shop/merged" });
  return axios(opts);
}
function byfetch() {
  const o = {};
  o.method = "PATCH";
  return fetch("http://shop/patched", o);
}
function cond(write) {
  const o = { url: "http://shop/cond" };
  if (write) { o.method = "POST"; } else { o.method = "GET"; }
  return axios(o);
}
