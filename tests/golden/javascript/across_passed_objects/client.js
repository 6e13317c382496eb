const axios = require("axios");

class Transport {
  constructor(base) {
    this.base = base;
  }

  send(options) {
    return axios({ method: options.type, url: this.base + options.path });
  }
}

class Orders {
  constructor(transport) {
    this.transport = transport;
  }

  call(type, path, options = {}) {
    options.type = type;
    Object.assign(options, { path });
    return this.transport.send(options);
  }

  list() {
    return this.call("GET", "/orders");
  }

  remove(id) {
    return this.call("DELETE", `/orders/${id}`, { quiet: true });
  }
}

class Client {
  constructor() {
    this.orders = new Orders(new Transport("http://shop/api"));
  }
}

module.exports = { Client };
