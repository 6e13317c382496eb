const axios = require("axios");
let base = "http://shop";
base += "/api";
const paths = ["/first", "/second"];

function list() {
  return axios.get(base + "/orders");
}

function sum() {
  return axios.get(`http://shop/v${1 + 1}/sum`);
}

function pick(admin) {
  let url = "http://shop/users";
  if (admin) {
    url += "/admin";
  }
  return axios.get(url);
}

function either(old) {
  let url = "http://shop/either";
  if (old) {
    url += "/old";
  } else {
    url += "/new";
  }
  return axios.get(url);
}

function numbered() {
  return axios.get("http://shop" + paths[1]);
}

function tuple([host, path]) {
  return axios.put(host + path);
}

function called() {
  return tuple(["http://shop", "/tuple"]);
}
