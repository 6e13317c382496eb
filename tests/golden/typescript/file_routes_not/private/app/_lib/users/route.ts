// a private folder
export async function GET() {
  return Response.json([]);
}
