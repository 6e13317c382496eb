export * from "./api";
export { get as fetchIt } from "./api";
