const { createProxyMiddleware } = require('http-proxy-middleware');

module.exports = function (app) {
  app.use('/api', createProxyMiddleware({ target: 'http://localhost:5000', changeOrigin: true }));
  app.use(createProxyMiddleware('/auth/**', { target: 'http://auth:7000', pathRewrite: { '^/auth': '/session' } }));
  app.use(createProxyMiddleware({ pathFilter: ['/carts', '/orders'], target: 'http://backend:9000' }));
};
