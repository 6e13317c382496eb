class Base {}

export class Users extends Base {
  static limit = LIMIT;
  #cache = new Map();
  handlers = {};

  constructor(db, log = new Logger()) {
    super(db);
    this.db = db;
    this.log = log;
    this.repo = new Repo(db);
  }

  static make() {
    return new Users(open());
  }

  find(id) {
    this.repo.find(id);
    return this.#cache.get(id);
  }
}

function Old() {
  this.items = [];
}

Old.prototype.add = function (item) {
  this.items.push(item);
};

class Late extends lib.Thing {}
