const api = process.env.API_URL || 'http://api:8000';
module.exports = {
  async rewrites() {
    return [
      { source: '/api/:path*', destination: `${api}/v1/:path*` },
      { source: '/users/:id/items/:item', destination: 'http://users/items/:item/of/:id' },
      { source: '/old', destination: '/new' },
    ];
  },
  async redirects() {
    return [{ source: '/about', destination: '/', permanent: true }];
  },
};
