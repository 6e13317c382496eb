exports.STOCK_HOST = 'stock';
exports.itemPath = (id) => '/items/' + id;
