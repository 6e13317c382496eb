export const dynamic = 'force-dynamic';
export function generateStaticParams() { return []; }
export default function handler() { return new Response(); }
