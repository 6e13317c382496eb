export function useHttp({ base = '/rest' }) {
  const prepare = useCallback((path, init) => ({
    run: () => fetch(join(base, path), { credentials: 'include', ...init }),
  }), []);
  const send = async (job) => job.run();
  return { prepare, transmit: send };
}

export const client = (root) => {
  return {
    read: (path) => fetch(`${root}${path}`),
    drop(path) {
      return fetch(root + path, { method: 'DELETE' });
    },
  };
};

const join = (...parts) => ['', ...parts].join('/').replace(/\/+/g, '/');
