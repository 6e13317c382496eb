export const PATCH = async ({ params }) => change(params.id);
