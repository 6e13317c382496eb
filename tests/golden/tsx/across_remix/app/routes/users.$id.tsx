export async function loader({ params }: LoaderFunctionArgs) {
  return json(await find(params.id));
}

export async function action({ request, params }: ActionFunctionArgs) {
  switch (request.method) {
    case 'PUT':
      return change(params.id);
    case 'DELETE':
      return remove(params.id);
  }
  return add(params.id);
}
