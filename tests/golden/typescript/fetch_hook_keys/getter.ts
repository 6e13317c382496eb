import useSWR from 'swr';

export const useGetter = (key: string, fetcher: () => Promise<unknown>) => useSWR(key, fetcher);

export const fetcher = (path: string) => fetch(path).then((r) => r.json());
