import { send } from './send';

export const save = (item) => send('PUT', '/items', JSON.stringify(item));
