export function send(x) {
  return x;
}

export function only() {}
