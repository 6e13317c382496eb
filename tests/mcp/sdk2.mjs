// sdk2.mjs URL|ATOLL [REPO_URI]: the official client of both eras: negotiating, pinned to 2026-07-28, and pinned to the
// handshake; it checks every message strictly.  Over HTTP or over `ATOLL mcp`.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { check } from './sdk_checks.mjs';

const [, , where, repo] = process.argv;
for (const [mode, version] of [['auto', '2026-07-28'], [{ pin: '2026-07-28' }, '2026-07-28'], ['legacy', '2025-11-25']]) {
	const transport = where.startsWith('http:') ? new StreamableHTTPClientTransport(new URL('/mcp', where)) :
		new StdioClientTransport({ command: where, args: ['mcp'], env: process.env });
	const client = new Client({ name: 'sdk2', version: '1' }, { capabilities: {}, versionNegotiation: { mode } });
	await client.connect(transport);
	assert.equal(client.getNegotiatedProtocolVersion(), version);
	assert.equal(Boolean(transport.sessionId), mode === 'legacy' && where.startsWith('http:'));
	await check(client, repo);
	await client.close();
}
console.log('sdk 2: as expected');
