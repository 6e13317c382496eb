import { open } from "./store.js";

function run(store, done) {
  store.find(1, 2);
  done();
  open("x").users[0].name.trim();
  [1].map(handler);
  new Client(store).start();
  obj.a.b();
  (function () {
    inner();
  })();
  helper(...store.rest);
  return cond ? first() : second();
}

const api = {
  get(id) {
    return this.load(id);
  },
  post: (id) => save(id),
  run,
};

$(document).on("click", api.get);
window.setTimeout(() => run(open()), 10);
