export function GET() { return 'not a route: the file is not called route'; }
