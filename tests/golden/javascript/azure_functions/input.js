const { app } = require('@azure/functions');

app.get('items-one', { route: 'items/{id}', authLevel: 'anonymous', handler: one });
app.http('items', {
  methods: ['GET', 'POST'],
  handler: async (request, context) => ({ jsonBody: await items(request) }),
});
app.deleteRequest('items-drop', { route: 'items/{id:int}', handler: drop });
app.put('health', health);
app.timer('nightly', { schedule: '0 0 0 * * *', handler: one });
app.storageQueue('queued', { queueName: 'items', handler: one });

async function one(request) {
  return { jsonBody: request.params.id };
}
