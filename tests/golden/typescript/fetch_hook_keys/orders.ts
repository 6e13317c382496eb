import { fetcher, useGetter } from './getter';

export const useOrders = (user: string) => {
  const path = `/api/orders/${user}`;
  return useGetter(
    'orders',
    () => fetcher(path),
  );
};

export const useInvite = () => {
  const secret = new URLSearchParams(location.search).get('invite') || '';
  return useGetter('invite', () => fetcher(`/api/invite/${secret}/validate`));
};
