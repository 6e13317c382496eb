export const one = (c: Context) => c.json({ id: c.req.param('id') });
