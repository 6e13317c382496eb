module.exports = {
  devServer: {
    proxy: [
      { context: ['/orders', '/carts'], target: 'http://backend:9000', pathRewrite: { '^/orders': '/v2/orders', '^/carts': '' } },
    ],
  },
};
