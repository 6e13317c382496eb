export { User, type Role as Rank } from "./user";
export * from "./store";
export * as api from "./api";
export { default } from "./main";

const local = 1;
export { local as shown };
export default local;
