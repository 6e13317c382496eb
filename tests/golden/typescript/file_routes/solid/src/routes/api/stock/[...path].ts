export async function GET() {
  return { left: 3 };
}
