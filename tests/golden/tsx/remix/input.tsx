import { useFetcher } from '@remix-run/react';

export function Row({ id }: { id: string }) {
  const fetcher = useFetcher();

  return <button onClick={() => fetcher.submit({}, { method: 'delete', action: `/items/${id}` })}>x</button>;
}
