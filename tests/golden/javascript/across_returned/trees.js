import { client, useHttp } from './api';

const park = client('/park/');

export const tree = (id) => park.read(`/trees/${id}`);
export const fell = (id) => park.drop('/trees/' + id);

export function useTrees() {
  const { prepare: make, transmit } = useHttp({});
  const plant = (tree) => {
    const job = make('trees', { method: 'POST', body: tree });
    return transmit(job);
  };
  return { plant };
}
