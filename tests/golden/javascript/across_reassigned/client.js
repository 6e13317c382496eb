const base = 'http://orders/'

export function prefixed(path) {
  if (path.startsWith('/')) {
    path = path.slice(1)
  } else {
    path = 'api/' + path
  }
  return fetch(base + path)
}

export function fallback(path) {
  if (path === '') {
    path = 'all'
  }
  return fetch(base + path)
}
