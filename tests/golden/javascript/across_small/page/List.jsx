import useSWR from 'swr';
import { ITEMS } from './paths';

const fetcher = (url) => fetch(url).then((r) => r.json());

export function List({ id }) {
  const { data } = useSWR(`${ITEMS}/${id}`, fetcher);
  return (
    <form method="post" action={ITEMS + '/search'}>
      {data}
    </form>
  );
}
