export const POST: RequestHandler = async ({ request }) => json({});
