import http from "k6/http";
import { check } from "k6";
import { BASE } from "./config.js";

const TARGET = __ENV.TARGET || "http://users:8080";

export default function () {
  http.get(`${TARGET}/users/${__VU}`);
  http.post(BASE + "/orders", JSON.stringify({}));
  http.del(`${BASE}/orders/1?force=true`);
  http.request("PATCH", `${TARGET}/users/1`, "{}");
  http.get`${TARGET}/tagged/${__ITER}`;
  http.batch([
    ["GET", `${TARGET}/batch/one`],
    ["POST", `${TARGET}/batch/two`, "{}"],
  ]);
  check(http.get("https://example.com/"), { ok: (r) => r.status === 200 });
}
