import { Level, Size, Square, load } from "./model";

export function made() { Square.make().grow(); }
export function instance() { new Square().grow(); }
export function level() { return Level.parse("x"); }
export function merged() { load(); load.cache(); }
export function both(s: Size) { s.check(); Size.of(1); }
