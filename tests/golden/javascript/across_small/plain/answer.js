// createServer( of server.js gives requests to this
exports.answer = (req, res) => {
  if (req.method === 'POST' && req.url === '/plain/add') {
    return res.end();
  }
  if (req.url === '/plain/all') {
    res.end('[]');
  }
};
