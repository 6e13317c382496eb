export { USERS as PEOPLE } from './constants';
export * from './constants';
