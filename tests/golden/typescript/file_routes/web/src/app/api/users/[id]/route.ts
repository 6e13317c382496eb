export async function GET(request: Request) { return Response.json({}); }
export const DELETE = auth(async (request: Request) => new Response());
