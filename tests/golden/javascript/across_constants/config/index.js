const base = 'http://orders:8080';

module.exports = {
	base,
	paths: { items: '/items' },
};
module.exports.LIMIT = 10;
