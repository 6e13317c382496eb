export const handler = async (event) => ({ statusCode: 200, body: event.pathParameters.id });
