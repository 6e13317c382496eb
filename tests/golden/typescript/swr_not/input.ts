import useSWR from 'swr';
export const a = () => useSWR('key', load);
export const b = () => useSWR(null, load);
