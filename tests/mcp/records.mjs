// records.mjs ROOT MODULES RECORDS TOOLS: checks everything that tests have recorded against the specification.
//   RECORDS/*.wire    recorded by recording_proxy.py: each message of the server against the JSON schema of its revision
//   RECORDS/*.calls   `call TOOL` and its result, from `call` of lib.sh: against the tool's outputSchema, as those over MCP are
//   TOOLS             GET /api/v1/tools with `--tools all`
// If all MCP tests are among the records, they must cover every kind of message that the server's sources can send.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [, , root, modules, records, toolsFile] = process.argv;
const require = createRequire(path.resolve(modules, 'x.js'));
const Ajv = require('ajv').default, Ajv2020 = require('ajv/dist/2020').default, addFormats = require('ajv-formats').default;
const WHOLE = ['30-mcp-http', '31-mcp-clients', '34-mcp-conformance', '35-mcp-streams', '50-mcp-stdio'];
const VERSION = 'io.modelcontextprotocol/protocolVersion', ASSUMED = '2025-03-26', TEXT_MAX = 10240;
const schemas = path.join(root, 'tests/mcp/schema');
const revisions = fs.readdirSync(schemas).filter((f) => f.endsWith('.json')).map((f) => f.slice(0, -5)).sort();
const MODERN = revisions.at(-1), LATEST = revisions.at(-2);

// ---- what is wrong, and what was seen ----

const faults = new Map(), seen = new Set();
let messages = 0, results = 0, where = '';

function fault(what, about) {
	const known = faults.get(what);
	if (known)
		known.times++;
	else
		faults.set(what, { times: 1, where, about: JSON.stringify(about)?.slice(0, 400) });
}

function check(validate, value, what) {
	if (!validate(value))
		for (const e of validate.errors.slice(0, 4))
			fault(`${what}${e.instancePath.replace(/\/\d+/g, '/N')}: ${e.message} ${JSON.stringify(e.params)}`, value);
}

// ---- the specification ----

// The generator of these two wrote `integer` for what schema.ts calls a number; the official suite mends it the same way.
function mend(revision, defs) {
	if (revision === '2025-06-18' || revision === '2025-11-25')
		for (const p of ['minimum', 'maximum', 'default'])
			if (defs.NumberSchema.properties[p])
				defs.NumberSchema.properties[p].type = 'number';
}

const specs = new Map();

function spec(revision) {
	if (specs.has(revision))
		return specs.get(revision);
	const text = JSON.parse(fs.readFileSync(path.join(schemas, `${revision}.json`), 'utf8'));
	const key = text.$defs ? '$defs' : 'definitions', defs = text[key], byMethod = {}, byError = {}, compiled = {};
	mend(revision, defs);
	const ajv = addFormats(new (text.$defs ? Ajv2020 : Ajv)({ strict: false, allErrors: true }));
	ajv.addSchema({ ...text, $id: `mcp://${revision}` });
	for (const [name, d] of Object.entries(defs)) {
		if (d.properties?.method?.const && /(Request|Notification)$/.test(name) && name !== 'ClientNotification')
			byMethod[d.properties.method.const] = name;
		for (const part of d.properties?.error?.allOf ?? [])
			if (part.properties?.code?.const)
				byError[part.properties.code.const] = name;
	}
	const of = (name) => compiled[name] ??= ajv.compile({ $ref: `mcp://${revision}#/${key}/${name}` });
	specs.set(revision, { defs, byMethod, byError, of });
	return specs.get(revision);
}

// `method` is that of the request which is answered.
function definition(s, m, method) {
	if (m.method)
		return s.byMethod[m.method];
	if (m.error)
		return s.byError[m.error.code] ?? ('JSONRPCErrorResponse' in s.defs ? 'JSONRPCErrorResponse' : 'JSONRPCError');
	return 'JSONRPCResultResponse' in s.defs ? 'JSONRPCResultResponse' : 'JSONRPCResponse';
}

function resultOf(s, result, method) {
	if (result?.resultType === 'input_required')
		return 'InputRequiredResult';
	const name = s.byMethod[method]?.replace(/Request$/, 'Result');
	return name in s.defs ? name : 'EmptyResult';
}

function kindOf(m, method) {
	if (m.method)
		return m.method;
	if (m.error)
		return `error ${m.error.code}`;
	return `${method}${m.result?.resultType === 'input_required' ? ' input_required' : m.result?.isError ? ' isError' : ''}`;
}

// ---- the tools ----

const tools = new Map(JSON.parse(fs.readFileSync(toolsFile, 'utf8')).tools.map((t) => [t.name, t]));
const ajvTools = addFormats(new Ajv2020({ strict: false }));
const listed = new Map();		// what tools/list says of them, by its text: that is shorter
for (const t of tools.values())
	t.validate = ajvTools.compile(t.outputSchema);

function list(t) {
	if (!tools.has(t.name))
		return;
	const text = JSON.stringify(t.outputSchema);
	if (!listed.has(t.name))
		listed.set(t.name, new Map());
	if (!listed.get(t.name).has(text))
		listed.get(t.name).set(text, ajvTools.compile(t.outputSchema));
}

const calls = [];		// checked at the end, when what tools/list says is known

function checkCalls() {
	for (const c of calls) {
		where = c.where;
		results++;
		check(tools.get(c.name).validate, c.value, `${c.name}, outputSchema of the API`);
		for (const validate of listed.get(c.name)?.values() ?? [])
			check(validate, c.value, `${c.name}, outputSchema of tools/list`);
	}
}

function called(name, result) {
	if (!tools.has(name))
		return;
	if (!result.structuredContent)
		fault(`${name}: no structuredContent`, result);
	if (result.content?.[0]?.type !== 'text' || Buffer.byteLength(result.content[0].text) > TEXT_MAX)
		fault(`${name}: content is no text of up to ${TEXT_MAX} bytes`, result.content);
	calls.push({ name, value: result.structuredContent, where });
	if (!result.isError)
		seen.add(`tool ${name}`);
}

// What is read of a resource is what a tool answers.
const resources = new Map([...fs.readFileSync(path.join(root, 'coordinator/mcp/mcp_resources.def'), 'utf8').matchAll(/^RESOURCE\(\w+,\s*(\w+),\s*(\w+),/gm)]
	.map(([, leaf, tool]) => [leaf, tool]));

function readResource(contents) {
	for (const c of contents.filter((c) => c.uri.startsWith('atoll://'))) {
		const name = resources.get(c.uri.split('/').at(-1));
		if (!name)
			fault('a resource of no tool', c.uri);
		else
			calls.push({ name, value: sent(c.text), where });
		seen.add(`resource ${c.uri.split('/').at(-1)}`);
	}
}

// ---- messages ----

function message(revision, m, request) {
	const s = spec(revision), method = request?.method;
	let asked = m;
	messages++;
	if (m?.jsonrpc !== '2.0')
		return fault('no message of JSON-RPC', m);
	// Up to 2025-06-18 the schema wants an id where the transport allows an error to have none.
	if (m.error && !('id' in m))
		asked = { ...m, ...(s.defs.JSONRPCError ? { id: 0 } : {}) };
	const name = definition(s, m, method);
	if (!name)
		return fault(`${revision} has no ${m.method}`, m);
	check(s.of(name), asked, `${revision} ${name}`);
	if (!m.method && 'id' in m && request && JSON.stringify(m.id) !== JSON.stringify(request.id))
		fault('the id is not that of the request', m);
	if (m.result) {
		const result = resultOf(s, m.result, method);
		check(s.of(result), m.result, `${revision} ${method} ${result}`);
		if (method === 'tools/list')
			m.result.tools?.forEach(list);
		if (method === 'resources/read' && result === 'ReadResourceResult')
			readResource(m.result.contents);
		if (method === 'tools/call' && result === 'CallToolResult')
			called(request.params.name, m.result);
	}
	seen.add(`${kindOf(m, method)} @${revision}`);
}

function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function sent(text) {
	const m = parse(text);
	if (!text.isWellFormed())
		fault('not UTF-8', text);
	if (m === undefined)
		fault('not JSON', text);
	return m;
}

// ---- HTTP ----

const isRequest = (m) => m && m.method && 'id' in m;
// Only whole events count: a stream that is left ends anywhere.
const events = (body) => body.split('\n\n').slice(0, -1).flatMap((e) => e.split('\n').filter((l) => l.startsWith('data: ')).map((l) => l.slice(6))).filter(Boolean);

function revisionOf(x, q, sessions) {
	const header = x.request.headers['mcp-protocol-version'], session = x.request.headers['mcp-session-id'];
	if (q?.params?._meta?.[VERSION] || header === MODERN)
		return MODERN;
	if (q?.method === 'initialize')
		return parse(x.body)?.result?.protocolVersion ?? LATEST;
	return sessions.get(session) ?? (revisions.includes(header) ? header : ASSUMED);
}

function overMcp(x, sessions) {
	const q = parse(x.request.body), type = x.headers['content-type'] ?? '';
	const ours = type === 'application/json' || type === 'text/event-stream';
	if (!ours && x.body && x.status === 400)	// libmicrohttpd's own, to what is no HTTP
		return;
	if (!ours && x.body)
		fault(`Content-Type ${type}`, x.body);
	const texts = type === 'text/event-stream' ? events(x.body) : x.body ? [x.body] : [];
	for (const m of texts.map(sent).filter((m) => m !== undefined)) {
		if (x.status >= 400 && !('jsonrpc' in m))	// refused before it was a message: no word of MCP's
			tools.get('group_list').validate(m) && m.error?.code && m.error.hint || fault('a refusal that says nothing', m);
		else
			message(revisionOf(x, q, sessions), m, isRequest(q) ? q : undefined);
	}
}

function overApi(x) {
	const name = x.request.path.split(/[/?]/).at(3);
	if (x.request.method === 'POST' && tools.has(name) && (x.headers['content-type'] ?? '').startsWith('application/json'))
		calls.push({ name, value: sent(x.body), where });
}

function http(exchanges) {
	const sessions = new Map();
	for (const x of exchanges)
		if (x.headers['mcp-session-id'])
			sessions.set(x.headers['mcp-session-id'], parse(x.body)?.result?.protocolVersion);
	for (const x of exchanges)
		if (x.request.path === '/mcp')
			overMcp(x, sessions);
		else if (x.request.path.startsWith('/api/v1/'))
			overApi(x);
}

// ---- standard input and output ----

function stdio(lines) {
	const requests = new Map(), tokens = new Map();
	let legacy = ASSUMED;
	for (const l of lines) {
		const m = 'in' in l ? parse(l.in) : sent(l.out);
		if ('in' in l) {
			if (!isRequest(m))
				continue;
			const meta = m.params?._meta ?? {};
			requests.set(JSON.stringify(m.id), { ...m, revision: meta[VERSION] ? MODERN : undefined });
			if ('progressToken' in meta)
				tokens.set(JSON.stringify(meta.progressToken), meta[VERSION] ? MODERN : undefined);
		} else if (m !== undefined) {
			const q = m.method ? undefined : requests.get(JSON.stringify(m.id)), p = m.params ?? {};
			if (q?.method === 'initialize' && m.result)
				legacy = m.result.protocolVersion;
			const modern = q?.revision ?? (p._meta?.['io.modelcontextprotocol/subscriptionId'] !== undefined ? MODERN : tokens.get(JSON.stringify(p.progressToken)));
			message(modern ?? legacy, m, q);
		}
	}
}

// ---- whatever can be said ----

function wanted() {
	const read = (f) => fs.readFileSync(path.join(root, 'coordinator', f), 'utf8'), want = [];
	const module = fs.readdirSync(path.join(root, 'coordinator/mcp')).filter((f) => /\.(c|def)$/.test(f)).map((f) => `mcp/${f}`);
	const sources = [...module, 'api/mcp_endpoint.c'].map(read).join('\n');
	const literals = (regex) => new Set([...sources.matchAll(regex)].map((m) => m[1]));
	const defines = (revision, list, method) => spec(revision).defs[list]?.anyOf.some((r) => r.$ref.endsWith(`/${spec(revision).byMethod[method]}`));
	for (const [, method, legacy, modern] of read('mcp/mcp.def').matchAll(/METHOD\("([^"]+)",\s*(\w+),\s*(\w+),/g)) {
		for (const r of revisions)
			if ((r === MODERN ? modern : legacy) === 'true')
				want.push(`${method} @${r}`);
		if (method === 'tools/call')
			want.push(...revisions.map((r) => `${method} isError @${r}`));
	}
	want.push(`tools/call input_required @${MODERN}`, `prompts/get input_required @${MODERN}`);
	// Of what the specification lets a server say: that a request is taken back is only heard; messages of the log are a fixture's, and of the handshake.
	for (const n of literals(/"(notifications\/[a-z_/]+)"/g))
		for (const r of [LATEST, MODERN])
			if (defines(r, 'ServerNotification', n) && n !== 'notifications/cancelled' && !(n === 'notifications/message' && r === MODERN))
				want.push(`${n} @${r}`);
	for (const n of literals(/"((?:sampling|elicitation|roots)\/\w+)"/g))
		want.push(`${n} @${LATEST}`);
	for (const [, code] of read('mcp/mcp_request.h').matchAll(/\b[A-Z_]+ = (-32\d{3})/g))
		want.push(`error ${code}`);
	for (const leaf of resources.keys())
		want.push(`resource ${leaf}`);
	for (const t of tools.values())
		if (t.mcp)
			want.push(`tool ${t.name}`);
	return want;
}

function readRecords() {
	const files = fs.readdirSync(records).sort();
	for (const f of files) {
		const text = fs.readFileSync(path.join(records, f), 'utf8');
		where = f;
		if (f.endsWith('.calls')) {
			for (const [, name, result] of text.matchAll(/^call (\w+)\n([^]*?)(?=^call |$(?![^]))/gm))
				if (tools.has(name))
					calls.push({ name, value: sent(result), where });
			continue;
		}
		const lines = text.split('\n').filter(Boolean).map((l) => JSON.parse(l));
		http(lines.filter((l) => l.request));
		stdio(lines.filter((l) => 'in' in l || 'out' in l));
		lines.filter((l) => l.lost).forEach((l) => fault('what the server said is no HTTP', l));
	}
	return files;
}

const files = readRecords();
checkCalls();
for (const k of [...seen])
	if (k.startsWith('error'))
		seen.add(k.split(' @')[0]);
const missing = WHOLE.every((t) => files.some((f) => f.startsWith(t))) ? wanted().filter((k) => !seen.has(k)) : [];
for (const [what, f] of faults)
	console.log(`FAIL ${what} (${f.times} times; first in ${f.where})\n     ${f.about}`);
for (const k of missing)
	console.log(`FAIL never said: ${k}`);
console.log(`${messages} messages of ${files.length} records, ${results} results of tools, ${seen.size} kinds`);
process.exit(faults.size || missing.length || !messages + !results === 2 ? 1 : 0);
