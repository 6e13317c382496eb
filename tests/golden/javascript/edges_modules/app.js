import make, { connect as link } from "./lib/store.js";
import { Shop } from "./lib";
import * as lib from "./lib";

export function main() {
  const store = make();
  store.open();
  link(new Shop());
  lib.connect(null);
  missing();
}
