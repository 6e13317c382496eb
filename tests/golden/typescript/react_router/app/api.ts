export const action = async () => new Response();
