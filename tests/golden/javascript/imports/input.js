import def, { named, other as alias } from "./module.js";
import * as ns from "lib";
import json from "./data.json" with { type: "json" };
export { named as again } from "./module.js";

export default function main() {
  return [def(), named, alias(), ns.x(), json];
}
