export const POST = 'POST';
export const GET = (path: string) => ({ path });
