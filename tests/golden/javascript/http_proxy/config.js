module.exports = { stockUrl: 'http://stock:80/base' };
