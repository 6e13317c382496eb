import useSWR from 'swr';
import { useQuery, useMutation } from '@tanstack/react-query';
const fetcher = (url) => fetch(url).then((r) => r.json());
const BASE = '/api';
export function A({ id }) {
  const { data } = useSWR(`/api/users/${id}`, fetcher);
  const { data: b } = useSWR(id ? `${BASE}/teams/${id}` : null, fetcher);
  const { data: c } = useSWR(['/api/pairs', id], fetcher);
  const q = useQuery({ queryKey: ['todos'], queryFn: () => fetch('/api/todos').then((r) => r.json()) });
  const q2 = useQuery(['x', id], () => fetcher(`${BASE}/x/${id}`));
  const m = useMutation({ mutationFn: (t) => fetch('/api/todos', { method: 'POST', body: t }) });
  const none = useQuery({ queryKey: ['/not/a/url'] });
  return data;
}
