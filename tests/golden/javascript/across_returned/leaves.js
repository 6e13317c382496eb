import useSWR from 'swr';

const load = (url) => fetch(url).then((r) => r.json());

const useWhen = (ready, key, fetcher) => useSWR(ready ? key : null, fetcher);

export const useLeaves = (id) => useSWR(`/park/trees/${id}/leaves`, load);

export const useNests = (id) => useWhen(id, `/park/trees/${id}/nests`, load);

// Not called with its first argument.
export const useNothing = () => useState('/park/nothing', load);
