// Checks for clients of both SDKs.  Each structuredContent must match the tool's outputSchema.
import assert from 'node:assert/strict';

const names = ['list_repos', 'search_code', 'ask_code', 'open_file', 'query', 'context', 'impact', 'signature', 'route_map', 'api_impact', 'detect_changes', 'group_list',
	'group_query', 'group_status', 'group_contracts', 'group_cross_repo_links', 'group_sync'];

const fails = async (client, name, args, code) => {
	const r = await client.callTool({ name, arguments: args });
	assert.equal(r.isError, true, `${name} ${JSON.stringify(args)}`);
	assert.equal(r.structuredContent.error.code, code);
	assert.match(r.content[0].text, new RegExp(`^Error \\(${code}\\): .+\\nHint: .+`));
};

// Everything that can be listed can be read; what is completed exists.
async function checkResources(client, groups, repo_uri) {
	const { resources } = await client.listResources();
	for (const { uri } of resources) {
		const { contents } = await client.readResource({ uri });
		assert.equal(contents[0].uri, uri);
		assert.ok(!JSON.parse(contents[0].text).error, uri);
	}
	assert.deepEqual((await client.listResourceTemplates()).resourceTemplates.map((t) => t.uriTemplate).slice(0, 2),
		['atoll://group/{name}/status', 'atoll://group/{name}/contracts']);
	await assert.rejects(client.readResource({ uri: 'atoll://repo/no%2Fsuch/context' }), (e) => e.code === -32002 || e.code === -32602);
	const { prompts } = await client.listPrompts();
	assert.deepEqual(prompts.map((p) => p.name), ['understand_repository', 'plan_cross_repo_change', 'review_impact', 'onboard_to_group']);
	await assert.rejects(client.getPrompt({ name: 'onboard_to_group', arguments: {} }), (e) => e.code === -32602 && /`group`/.test(e.message));
	for (const group of groups) {
		assert.ok(resources.some((r) => r.uri === `atoll://group/${group.name}/contracts`));
		const { messages } = await client.getPrompt({ name: 'onboard_to_group', arguments: { group: group.name } });
		assert.ok(messages[0].content.text.includes(`the group ${group.name} `) && !/[{}]/.test(messages[0].content.text));
		const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'onboard_to_group' },
			argument: { name: 'group', value: group.name.slice(0, 2) } });
		assert.ok(completion.values.includes(group.name));
	}
	if (!repo_uri)
		return;
	const context = await client.readResource({ uri: `atoll://repo/${encodeURIComponent(repo_uri)}/context` });
	assert.equal(JSON.parse(context.contents[0].text).repos[0].repo_uri, repo_uri);
	const complete = async (name, value, more) => (await client.complete({ ref: { type: 'ref/resource', uri: 'atoll://repo/{repo_uri}/context' },
		argument: { name, value }, context: { arguments: more } })).completion.values;
	assert.ok((await complete('repo_uri', repo_uri.slice(0, 12))).includes(repo_uri));
	assert.ok((await complete('symbol', 'OrderB', { repo_uri })).some((v) => /OrderBook/.test(v)));
	assert.deepEqual(await complete('repo_uri', 'no.such.host/'), []);
	await assert.rejects(complete('symbol', 'OrderB', { repo: 'no-such' }), (e) => e.code === -32602 && /no-such/.test(e.message));
}

export async function check(client, repo_uri) {
	assert.equal(client.getServerVersion().name, 'atoll');
	assert.deepEqual(Object.keys(client.getServerCapabilities()).sort(), ['completions', 'prompts', 'resources', 'tools']);
	assert.match(client.getInstructions(), /list_repos/);
	const { tools, nextCursor } = await client.listTools();
	assert.ok(JSON.stringify(tools).length < 20000, 'the list is short');
	assert.equal(nextCursor, undefined);
	assert.deepEqual(tools.map((t) => t.name).filter((n) => names.includes(n)), names);
	const repos = await client.callTool({ name: 'list_repos', arguments: {} });
	assert.ok(!repos.isError, repos.content[0].text);
	assert.ok(Array.isArray(repos.structuredContent.repos));
	const groups = await client.callTool({ name: 'group_list' });
	assert.ok(Array.isArray(groups.structuredContent.groups));
	await checkResources(client, groups.structuredContent.groups, repo_uri);
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
