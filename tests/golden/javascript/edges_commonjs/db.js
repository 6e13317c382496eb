function query(id) {
  return id;
}

class Cache {
  get(id) {
    return id;
  }
}

module.exports = { query, Cache };
