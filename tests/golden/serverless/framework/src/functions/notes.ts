export const list = async () => ({ statusCode: 200, body: "[]" });

export async function write(event: APIGatewayEvent) {
  return { statusCode: 201 };
}

export const nightly = async () => {};
