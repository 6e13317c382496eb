export * from './client';
export { default as makeLog, level as logLevel } from './log';
export type { Options } from './options';
export * as helpers from './helpers';
