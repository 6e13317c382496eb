module.exports.list = async () => ({ statusCode: 200 });
