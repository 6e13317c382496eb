async function handler() { return new Response(); }
export { handler as GET, handler as POST };
