export function GET() { return 'a verb of its own'; }
