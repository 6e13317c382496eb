module.exports = { Store, clear };

function Store() {}
function clear() {}
Store.prototype.put = function () {};
