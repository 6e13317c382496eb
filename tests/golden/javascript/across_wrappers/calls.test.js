import { get } from './http';

test('it', () => get('/only/in/tests'));
