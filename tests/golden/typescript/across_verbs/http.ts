interface Options {
  method: string;
  body?: string;
}

const send = async (method: string, url: string, body: string | null = null) => {
  const options: Options = { method: method.toUpperCase() };
  if (body) {
    options.body = body;
  }
  return fetch(url, method === 'GET' ? undefined : options);
};

const http = {
  get: (url: string) => send('GET', url),
  post: (url: string, body: string) => send('POST', url, body),
  drop: (url: string) => send('delete', url),
};

export default http;
