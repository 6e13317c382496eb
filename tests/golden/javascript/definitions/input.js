'use strict';
const { pick } = require('lodash');

// How many are shown.
const LIMIT = 20, OTHER = 3;

/**
 * Loads users.
 * @param {number} page
 */
export async function loadUsers(page, { limit = LIMIT } = {}) {
  const local = 1;
  const inner = (x) => {
    return x + local;
  };
  return inner(page);
}

export const saveUser = async (user) => {
  return user;
};

class UserService extends Base {
  static instances = 0;
  #secret = 1;

  constructor(client) {
    super(client);
  }

  /** Finds one. */
  async find(id) {
    return this.client.get(id);
  }

  handle = (event) => {
    return event;
  };

  get size() { return 1; }
}

function* numbers() { yield 1; }

const handlers = {
  open() { return 1; },
  'close': function () { return 2; },
  toggle: () => 3,
  plain: 4,
};

exports.parse = function parse(text) {
  return text;
};
module.exports.render = (tree) => tree;
UserService.prototype.legacy = function () { return 0; };
window.onload = function () { return 1; };
run(function () { var hidden = 1; function named() {} });
export { numbers, handlers as h };
export default class {}
