// Another app, in a file that speaks of Azure's functions
const { input, output } = require('@azure/functions');
const settings = new Map();

const app = { get: (name) => settings.get(name), http: (name, of) => of };

app.get('name', { route: 'users' });
app.http('name', { route: 'users', methods: ['GET'] });
output.storageQueue({ queueName: 'queued', connection: '' });
input.cosmosDB({ databaseName: 'items', route: 'items' });
