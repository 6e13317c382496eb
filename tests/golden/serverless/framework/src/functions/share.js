module.exports.share = async (event) => ({ statusCode: 200 });
