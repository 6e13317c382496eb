import { Shape, Square, Squares, Store } from "./store";

const squares = new Store<Square>();

export function argument() { squares.first().grow(); }
export async function awaited() { for (const s of await squares.all()) s.grow(); }
export function ofBase(s: Squares) { s.first().grow(); }
export function element(list: Square[]) { list.pop()!.grow(); }
export function byKey(map: Map<string, Square>) { map.get("x")!.grow(); }
export function callback(list: Square[]) { list.forEach((s) => s.grow()); }
export function callbackWithIndex(list: Square[]) { list.map((s, i) => s.grow()); }
export function filtered(list: Square[]) { return list.filter((s) => s.area() > 1).map((s) => s.grow()); }
export function bound<T extends Shape>(t: T) { return t.area(); }
export function unbound<T>(t: T) { return (t as any).area(); }
