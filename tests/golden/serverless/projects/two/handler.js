exports.items = async () => ({ statusCode: 200 });
