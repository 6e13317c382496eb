exports.one = (request) => find(request.params.id);
exports.add = (request) => save(request.payload);
