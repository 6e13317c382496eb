// server.mjs: an OpenAI-compatible API of /v1/embeddings and /v1/chat/completions that behaves as its path says.
// Prints its port on stdout; ends with its parent.
//
//   http://127.0.0.1:PORT/BEHAVIOUR[.NOTE][/v1]/embeddings     NOTE tells users of one behaviour apart; without: ok
//   GET /seen            what was asked, oldest first: {path, authorization, body, from: a port, left: nobody waited for the answer}
//   ok slow late (by 300 ms) 500 500-once 429 429-once 429-long (Retry-After of 300 s) malformed truncated reset
//   of embeddings: wrong-dimension other-dimension count numbers nan base64 unordered short
//   of chat: empty stream stream-error length (the answer is cut); asked: as the last message says behind `behave`
//
// A vector has 64 numbers: how often a word falls into each, by a hash of the word.
import http from 'node:http';

const DIM = 64;
const seen = [];
const counts = new Map();

function vector(text, dim = DIM) {
	const v = new Array(dim).fill(0);
	for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
		let h = 2166136261;
		for (const c of word)
			h = Math.imul(h ^ c.charCodeAt(0), 16777619) >>> 0;
		v[h % dim]++;
	}
	return v;
}

function send(res, status, body, headers = {}) {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers });
	res.end(text);
}

// Half of an answer, then the connection is gone.
function truncate(res, body) {
	const text = JSON.stringify(body);
	res.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
	res.write(text.slice(0, text.length / 2), () => res.destroy());
}

function embeddings(how, q, res) {
	const texts = [q.input].flat();
	const data = texts.map((t, index) => ({ object: 'embedding', index, embedding: vector(t) }));
	const bytes = v => Buffer.from(new Float32Array(v).buffer).toString('base64');
	const answer = { object: 'list', data, model: q.model };
	switch (how) {
	case 'wrong-dimension': data.forEach((d, i) => d.embedding = vector(texts[i], DIM + 1)); break;
	case 'other-dimension': if (data.length > 1) data[1].embedding.push(1); break;
	case 'count': data.pop(); break;
	case 'numbers': data.forEach(d => d.index = 0); break;
	case 'nan': data[0].embedding[3] = 'NaN'; break;
	case 'base64': data.forEach(d => d.embedding = bytes(d.embedding)); break;
	case 'base64-nan': data.forEach(d => d.embedding = bytes(d.embedding.map(() => NaN))); break;
	case 'unordered': data.reverse(); break;
	case 'truncated': return truncate(res, answer);
	case 'short':
		if (texts.some(t => t.length > 1000))
			return send(res, 413, { error: { message: 'too long' } });
	}
	send(res, 200, answer);
}

// Pieces of text as server-sent events, cut within a character and within a line.
function stream(res, pieces, end) {
	res.writeHead(200, { 'content-type': 'text/event-stream' });
	const events = pieces.map(content => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
	const bytes = Buffer.from(': a comment\n\n' + events.join('') + end);
	for (let i = 0; i < bytes.length; i += 37)
		res.write(bytes.subarray(i, i + 37));
	res.end();
}

function chat(how, q, res) {
	const user = q.messages.at(-1).content;
	const words = `${q.model} read ${(user.match(/^\[\d+\]/gm) ?? []).length} pieces, see [1].`;
	switch (how) {
	case 'stream': return stream(res, ['naïve ', ...words.split(/(?= )/)], 'data: {"choices":[],"usage":{}}\n\ndata: [DONE]\n\n');
	case 'stream-error': return stream(res, ['half an'], 'data: {"error":{"message":"overloaded"}}\n\n');
	}
	const answer = { choices: [{ index: 0, message: { role: 'assistant', content: how === 'empty' ? null : words }, finish_reason: how === 'length' ? 'length' : 'stop' }] };
	if (how === 'truncated')
		return truncate(res, answer);
	send(res, 200, answer);
}

function answer(req, res, body) {
	const [, first, rest] = req.url.match(/^(?:\/((?!v1\/)[^/]+))?(\/.*)$/);
	const asked = first === 'asked' && body.match(/behave ([\w.-]+)/)?.[1];
	const path = asked || (first ?? 'ok'), how = path.split('.')[0];
	const n = (counts.get(path) ?? 0) + 1;
	counts.set(path, n);
	if (how === 'slow')
		return;		// until the client goes
	if (how === 'reset')
		return res.destroy();
	if (how === '500' || (how === '500-once' && n === 1))
		return send(res, 500, { error: { message: 'broken' } });
	if (how === '429' || (how === '429-once' && n === 1))
		return send(res, 429, { error: { message: 'quota' } }, { 'retry-after': '1' });
	if (how === '429-long')
		return send(res, 429, { error: { message: 'quota' } }, { 'retry-after': '300' });
	if (how === 'malformed')
		return send(res, 200, '{"data": [');
	const reply = { '/v1/embeddings': embeddings, '/v1/chat/completions': chat }[rest];
	if (!reply)
		return send(res, 404, { error: { message: `no ${rest}` } });
	setTimeout(() => reply(how, JSON.parse(body), res), how === 'late' ? 300 : 0);
}

const server = http.createServer((req, res) => {
	let body = '';
	req.setEncoding('utf8');
	req.on('data', d => body += d);
	req.on('end', () => {
		if (req.url === '/seen')
			return send(res, 200, seen);
		const one = { path: req.url, authorization: req.headers.authorization ?? null, body: body && JSON.parse(body), from: req.socket.remotePort, left: false };
		res.on('close', () => one.left = !res.writableFinished);
		seen.push(one);
		answer(req, res, body);
	});
});
server.keepAliveTimeout = 60000;	// who asks may have to wait for a processor
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
const parent = process.ppid;
setInterval(() => (process.ppid === parent && parent !== 1) || process.exit(), 300);	// 1: it had gone already
