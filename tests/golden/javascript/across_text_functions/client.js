const axios = require("axios");
const BASE = "http://shop/api";
function f1(id) { return axios.get(new URL("/api/a5", BASE).href); }
function f2(id) { return axios.get(BASE.replace("/api", "/v2") + "/a14"); }
function f3(id) { return axios.get(BASE.slice(0, -1) + "/a21"); }
function f4(id) { return axios.get(decodeURIComponent(BASE + "/a30")); }
