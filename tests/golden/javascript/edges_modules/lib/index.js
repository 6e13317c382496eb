export { Store as Shop } from "./store.js";
export * from "./store.js";
