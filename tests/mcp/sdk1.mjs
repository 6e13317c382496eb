// sdk1.mjs URL|ATOLL [REPO_URI]: the official client of the handshake revisions lists the tools and calls them,
// over HTTP or over `ATOLL mcp`.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { check } from './sdk_checks.mjs';

const [, , where, repo] = process.argv;
const http = where.startsWith('http:');
const transport = http ? new StreamableHTTPClientTransport(new URL('/mcp', where)) :
	new StdioClientTransport({ command: where, args: ['mcp'], env: process.env });
const client = new Client({ name: 'sdk1', version: '1' });
await client.connect(transport);
if (http)
	assert.ok(transport.protocolVersion === '2025-11-25' && /^[0-9a-f]{32}$/.test(transport.sessionId));
await client.ping();
await check(client, repo);
await client.subscribeResource({ uri: 'atoll://groups' });
await client.unsubscribeResource({ uri: 'atoll://groups' });
await assert.rejects(client.subscribeResource({ uri: 'atoll://group/none/status' }), (e) => e.code === -32002);
await client.close();
console.log('sdk 1: as expected');
