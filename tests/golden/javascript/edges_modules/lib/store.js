export class Store {
  open() {
    return connect(this);
  }
}

export function connect(store) {
  return store;
}

export default function make() {
  return new Store();
}
