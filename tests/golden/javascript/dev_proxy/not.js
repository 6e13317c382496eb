// a proxy that is none of a server: axios goes through it; a Proxy of the language; a context without a path
const client = axios.create({ proxy: { host: '10.0.0.1', port: 3128 } });
const seen = { proxy: new Proxy({}, {}) };
const event = { context: 'canvas', target: node };
