import { useFetcher, useSubmit } from '@remix-run/react';

export function Search() {
  const fetcher = useFetcher();
  const submit = useSubmit();

  fetcher.load('/api/health');
  fetcher.submit({ q: 1 }, { method: 'post', action: '/users/7' });
  submit(null, { method: 'delete', action: `/users/${id}` });
  return (
    <fetcher.Form method="put" action="/users/8">
      <input name="q" />
    </fetcher.Form>
  );
}
