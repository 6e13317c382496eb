const db = require("./db");

class Users {
  constructor(pool) {
    this.pool = pool;
    this.cache = new db.Cache();
  }

  find(id) {
    return this.cache.get(id) || db.query(id);
  }
}

exports.Users = Users;
exports.list = () => new Users().find(0);
