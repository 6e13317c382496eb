function Users({ id }) {
  const { data } = useSWR(`/api/users/${id}`, fetcher);
  const keyed = useSWR('users', load);
  const all = useSWR('/api/users', (url) => fetch(url).then((r) => r.json()));
  navigator.sendBeacon('/beacon', data);
  useQuery(['/nothing'], load);
}
