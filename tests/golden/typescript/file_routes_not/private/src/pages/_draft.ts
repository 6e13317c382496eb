// Astro: a page that is left out
export const GET = () => new Response('');
