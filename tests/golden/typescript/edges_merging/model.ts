export class Square {
  grow() { return this; }
}
export namespace Square {
  export function make(): Square { return new Square(); }
}
export enum Level { Low, High }
export namespace Level {
  export function parse(s: string): Level { return Level.Low; }
}
export function load() { return load.cache(); }
export namespace load {
  export function cache() { return 1; }
}
export interface Size { check(): void }
export const Size = {
  of(n: number): Size { return { check() {} }; },
};
