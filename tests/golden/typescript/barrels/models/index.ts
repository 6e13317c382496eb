export { default as User, create } from './user';
export * from './user';
export * as users from './user';
export * from './index';
