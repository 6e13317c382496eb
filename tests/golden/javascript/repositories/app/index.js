const store = require('tiny-store');
const { Item, clear: wipe } = require('tiny-store');
const other = require('other-store');
const Alias = store.Item;

function Store() {}

function run(unknown) {
  const s = store('a');
  s.put('k').save();
  new store.Item('x').save();
  new Item('y');
  new Alias('z').save();
  wipe();
  other.clear();
  new other.Store().put('k');
  new Store();
  unknown.put('k');
}

const again = require('tiny-store')('w');

function late() {
  require('tiny-store').clear();
  return require('tiny-store')('v').put('k');
}

module.exports.open = store;

const start = require('passed-on');

start();
start.log('x');
