import { app } from '@azure/functions';
import { getUsers, postUsers } from './users';

app.get('get-users', { route: 'users', authLevel: 'anonymous', handler: getUsers });
app.http('post-users', { methods: ['POST'], route: 'users', handler: postUsers });
