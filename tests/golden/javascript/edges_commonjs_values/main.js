const counter = require("./counter");
const lib = require("./lib");
const named = require("./named");
const { Counter, Journal, clear } = require("./lib");

function run() {
  const c = counter(1);
  c.add(2);
  new lib.Counter(3).add(4);
  lib.clear();
  lib.tools.cut("x");
  lib.size();
}

function more() {
  new Counter(1).add(2);
  new Journal().write("x");
  clear();
  named.first();
  named.parts.clear();
  counter.reset();
}

const Alias = lib.Counter;

function other(unknown) {
  new Alias(1).add(2);
  unknown(counter);
}
