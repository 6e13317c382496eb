export function GET() { return 1; }
