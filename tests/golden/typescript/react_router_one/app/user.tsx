export async function loader({ params }: Args) {
  return find(params.id);
}

export async function action({ request }: Args) {
  return save(await request.formData());
}

export default function User() {
  return <main />;
}
