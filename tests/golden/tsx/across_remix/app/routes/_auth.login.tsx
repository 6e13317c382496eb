export const action = async ({ request }: ActionFunctionArgs) => login(request);

export default function Login() {
  return (
    <Form method="post" action="/login">
      <button>in</button>
    </Form>
  );
}
