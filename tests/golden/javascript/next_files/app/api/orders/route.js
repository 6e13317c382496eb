export async function GET() { return Response.json([]); }
export const POST = async (r) => Response.json({});
