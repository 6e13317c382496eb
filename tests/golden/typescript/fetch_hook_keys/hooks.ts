import useSWRInfinite from 'swr/infinite';
import useSWR from 'swr';
const fetcher = async (url: string) => {
    const response = await fetch(url);
    return response.json();
};
export const useOne = (id?: number) => {
    const getKey = (page: number) => {
        return `/api/one/${id}?offset=${page}`;
    };
    return useSWRInfinite(getKey, fetcher, {});
};
export const useTwo = (id?: number) => {
    return useSWR(() => `/api/two/${id}`, fetcher);
};
export const useThree = (id?: number) => {
    return useSWR([`/api/three/${id}`, id], fetcher);
};
export const useFour = (id?: number) => {
    return useSWR(id ? `/api/four/${id}` : null, fetcher);
};
export const useFive = (id?: number) => {
    const getKey = (page: number) => {
        if (!page) return null;
        return `/api/five/${id}?offset=${page}`;
    };
    return useSWRInfinite(getKey, fetcher, {});
};
