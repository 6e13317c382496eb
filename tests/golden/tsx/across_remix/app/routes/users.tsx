export const loader = async ({ params }: LoaderFunctionArgs) => json(await find(params));

export default function Page() {
  return <p>page</p>;
}
