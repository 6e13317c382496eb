export function PUT() { return new Response(); }
