export const loader = async ({ params }: LoaderFunctionArgs) => json(await find(params));
