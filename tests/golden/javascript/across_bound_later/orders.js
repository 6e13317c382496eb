// For what a caller has of "express", whatever it is called here.
function list(req, res) {
	res.json([]);
}

function mount(shop) {
	shop.get('/orders', list);
}

module.exports = { mount };
