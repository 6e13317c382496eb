export async function GET(request, { params }) {
  return Response.json(await one(params.id));
}

export const PATCH = handler(change);
