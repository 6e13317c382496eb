export * from './parts'
export type { Shape } from './shapes'
export function make() { return 1 }
