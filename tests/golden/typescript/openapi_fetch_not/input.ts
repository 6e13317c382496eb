// In place of openapi-fetch, a bus whose messages have the names of methods.
import { createBus } from './bus';

const bus = createBus({ baseUrl: '/nothing' });

export const one = () => bus.GET('/nothing/one');
export const two = (verbs: Verbs) => verbs.POST('/nothing/two', {});
