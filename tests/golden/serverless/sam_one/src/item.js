exports.get = async (event) => ({ statusCode: 200, body: event.pathParameters.id });
