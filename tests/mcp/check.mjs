// What a client of either SDK must see.  Both check each structuredContent against the tool's outputSchema.
import assert from 'node:assert/strict';

const names = ['list_repos', 'search_code', 'ask_code', 'open_file', 'query', 'context', 'impact', 'signature', 'route_map', 'api_impact', 'detect_changes', 'group_list',
	'group_query', 'group_status', 'group_contracts', 'group_cross_repo_links', 'group_sync'];

const fails = async (client, name, args, code) => {
	const r = await client.callTool({ name, arguments: args });
	assert.equal(r.isError, true, `${name} ${JSON.stringify(args)}`);
	assert.equal(r.structuredContent.error.code, code);
	assert.match(r.content[0].text, new RegExp(`^Error \\(${code}\\): .+\\nHint: .+`));
};

export async function check(client, repo_uri) {
	assert.equal(client.getServerVersion().name, 'atoll');
	assert.deepEqual(Object.keys(client.getServerCapabilities()), ['tools']);
	assert.match(client.getInstructions(), /list_repos/);
	const { tools, nextCursor } = await client.listTools();
	assert.ok(JSON.stringify(tools).length < 64000, 'the list is short');
	assert.equal(nextCursor, undefined);
	assert.deepEqual(tools.map((t) => t.name).filter((n) => names.includes(n)), names);
	const repos = await client.callTool({ name: 'list_repos', arguments: {} });
	assert.ok(!repos.isError, repos.content[0].text);
	assert.ok(Array.isArray(repos.structuredContent.repos));
	const groups = await client.callTool({ name: 'group_list' });
	assert.ok(Array.isArray(groups.structuredContent.groups));
	await fails(client, 'list_repos', { limit: 0 }, 'INVALID_INPUT');
	await fails(client, 'group_query', { group: 'no-such-group', query: 'x' }, 'NOT_FOUND');
	await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), (e) => e.code === -32602);
	for (const group of groups.structuredContent.groups)
		for (const name of ['group_query', 'group_status', 'group_contracts', 'group_cross_repo_links', 'group_sync']) {
			const args = name === 'group_query' ? { group: group.name, query: 'order' } : { group: group.name };
			const r = await client.callTool({ name, arguments: args });
			assert.ok(!r.isError, `${name}: ${r.content[0].text}`);
			assert.ok(Buffer.byteLength(r.content[0].text) <= 10240, `${name}: text of ${r.content[0].text.length}`);
			assert.equal(r.structuredContent.complete, true, name);
		}
	if (!repo_uri)
		return;
	for (const [name, args] of [['query', { query: 'order' }], ['search_code', { query: 'order' }],
		['ask_code', { query: 'how is an order made?' }], ['open_file', { path: 'README.md' }],
		['context', { symbol: 'OrderBook' }], ['impact', { symbol: 'OrderBook' }], ['signature', { symbol: 'OrderBook' }],
		['context', { symbol: 'healthz' }], ['context', { symbol: 'forgetUser' }], ['impact', { symbol: 'forgetUser' }], ['route_map', {}], ['detect_changes', {}]]) {
		const r = await client.callTool({ name, arguments: { ...args, repo_uri } });
		assert.ok(!r.isError, `${name}: ${r.content[0].text}`);
		assert.ok(Buffer.byteLength(r.content[0].text) <= 10240, `${name}: text of ${r.content[0].text.length}`);
	}
	for (const name of ['context', 'impact', 'signature'])
		await fails(client, name, { repo_uri, symbol: 'no_such_symbol' }, 'NOT_FOUND');
	await fails(client, 'api_impact', { repo_uri, route: '/no/such/route' }, 'NOT_FOUND');
	await fails(client, 'detect_changes', { repo_uri, base: 'no-such-branch' }, 'INVALID_INPUT');
	await fails(client, 'open_file', { repo_uri, path: 'no/such/file' }, 'NOT_FOUND');
}
