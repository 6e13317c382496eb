#!/usr/bin/env python3
"""raw_requests.py URL: requirements of the MCP specification that no official client or suite tests.

Each case is a row: its description, the request, the HTTP status, and a check of the body (a function of the parsed body, or
None for an empty one).
"""
import http.client
import json
import socket
import sys
from base64 import b64encode
from urllib.parse import urlsplit

url = urlsplit(sys.argv[1])
MODERN, LEGACY = "2026-07-28", "2025-11-25"
META = "io.modelcontextprotocol/"
LIST, CALL, DISCOVER = "tools/list", "tools/call", "server/discover"
GROUPS = {"name": "group_list", "arguments": {}}
CAPABILITIES = {"tools": {}, "prompts": {}, "resources": {"subscribe": True, "listChanged": True}, "completions": {}}
failed = 0


# ---- asking ----

def post(body, headers={}, path="/mcp", method="POST", json_type="application/json"):
    if not isinstance(body, (bytes, type(None))):
        body = json.dumps(body).encode()
    h = {"Accept": "application/json, text/event-stream"}
    if json_type:
        h["Content-Type"] = json_type
    h.update(headers)
    c = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    c.request(method, path, body, h)
    r = c.getresponse()
    data = r.read()
    c.close()
    return r.status, r.headers, data


def legacy(method, params=None, id=1, **more):
    m = {"jsonrpc": "2.0", "id": id, "method": method, **more}
    if params is not None:
        m["params"] = params
    return m


def modern(method, params={}, id=1, version=MODERN, drop=(), **more):
    meta = {META + "protocolVersion": version, META + "clientCapabilities": {},
            META + "clientInfo": {"name": "raw", "version": "1"}}
    for d in drop:
        del meta[META + d]
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": meta}, **more}


def headers(method, name=None, version=MODERN):
    h = {"MCP-Protocol-Version": version, "Mcp-Method": method}
    if name is not None:
        h["Mcp-Name"] = name
    return h


ping = json.dumps(legacy("ping")).encode()


def chunked(pieces):
    s = socket.create_connection((url.hostname, url.port), timeout=20)
    s.sendall(f"POST /mcp HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: application/json\r\n"
              "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
    for p in pieces:
        s.sendall(f"{len(p):x}\r\n".encode() + p + b"\r\n")
    s.sendall(b"0\r\n\r\n")
    r = http.client.HTTPResponse(s)
    r.begin()
    data = r.read()
    s.close()
    return r.status, r.headers, data


def raw(*lines, body=ping, start="POST /mcp HTTP/1.1", host=True, length=True, type="application/json"):
    """A request whose headers are exactly these; its answer, after which the connection ends."""
    s = socket.create_connection((url.hostname, url.port), timeout=20)
    head = [start, "Connection: close", *lines]
    head += [f"Host: {url.netloc}"] * host + [f"Content-Type: {type}"] * bool(type) + [f"Content-Length: {len(body)}"] * length
    s.sendall("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body)
    r = http.client.HTTPResponse(s)
    r.begin()
    data = r.read()
    ended = s.recv(1) == b""
    s.close()
    return r.status if ended else "goes on", r.headers, data


def expect_continue(n):
    s = socket.create_connection((url.hostname, url.port), timeout=20)
    s.sendall(f"POST /mcp HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: application/json\r\nConnection: close\r\n"
              f"Content-Length: {n}\r\nExpect: 100-continue\r\n\r\n".encode())
    return s.recv(64).split(b"\r\n")[0]


# ---- what is wanted ----

def code(n, id=1):
    return lambda b: (b["error"]["code"] == n and b.get("id") == id and (id is not None or "id" not in b) and
                      isinstance(b["error"]["message"], str))


def result(check):
    return lambda b: "error" not in b and b["id"] == 1 and check(b["result"])


def tool_error(code):
    return result(lambda r: r["isError"] and r["structuredContent"]["error"]["code"] == code and
                  r["content"][0]["text"].startswith(f"Error ({code}): ") and "\nHint: " in r["content"][0]["text"])


def pong(b):
    """The answer to a ping."""
    return result(lambda r: r == {})(b)


def hinted(b):
    return b["error"]["code"] == "INVALID_INPUT" and b["error"]["hint"]


def forbidden(b):
    return b["error"]["code"] == "FORBIDDEN"


def fresh(r):
    """What the revision 2026-07-28 says of every result."""
    return (r["resultType"] == "complete" and r["ttlMs"] >= 0 and r["cacheScope"] == "private" and
            r["_meta"][META + "serverInfo"]["name"] == "atoll")


def fail(what):
    global failed
    failed += 1
    print(f"FAIL {what}")


def case(what, got, status, check):
    code, head, data = got
    try:
        good = code == status and (data == b"" if check is None else check(json.loads(data)))
    except Exception:       # what it looks for is not there
        good = False
    good = good and "Access-Control-Allow-Origin" not in head
    good = good and ("Mcp-Session-Id" in head) == what.startswith(("initialize 2", "initialize 1"))
    if not good:
        fail(f"{what}: {code} {data[:300]!r}, want {status}")


# ---- who may talk to it ----

def who_may_talk():
    for origin in ("http://evil.example.com", "null", "https://127.0.0.1.evil.example.com", "http://localhost.evil.example"):
        case(f"Origin {origin}", post(legacy("ping"), {"Origin": origin}), 403, forbidden)
    for origin in (f"http://{url.netloc}", "http://localhost:6274", "http://[::1]:1"):
        case(f"Origin {origin}", post(legacy("ping"), {"Origin": origin}), 200, pong)
    for host in ("evil.example.com", f"evil.example.com:{url.port}", "127.0.0.1.evil.example.com", "10.0.0.1", ""):
        case(f"Host {host}", post(legacy("ping"), {"Host": host}), 403, forbidden)
    for host in ("localhost", f"localhost:{url.port}", "[::1]:80", "127.0.0.1"):
        case(f"Host {host}", post(legacy("ping"), {"Host": host}), 200, pong)


# ---- HTTP ----

def methods_and_types():
    for method in ("GET", "DELETE", "PUT", "OPTIONS", "PATCH"):
        got = post(None, method=method)
        case(f"{method} /mcp without a session", got, 405, lambda b: "Use POST" in b["error"]["hint"])
        if got[1]["Allow"] != ("POST" if method in ("GET", "DELETE") else "POST, GET, DELETE"):
            fail(f"Allow of {method}")
    for t in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", None):
        case(f"Content-Type {t}", post(legacy("ping"), json_type=t), 415, lambda b: "error" in b)
    for t in ("application/json; charset=utf-8", "Application/JSON", "application/vnd.x+json"):
        case(f"Content-Type {t}", post(legacy("ping"), json_type=t), 200, pong)
    case("Accept without JSON", post(legacy("ping"), {"Accept": "text/html"}), 406, lambda b: "error" in b)
    for a in ("application/jsonx", "application/json;q=0, text/html", "*/*;q=0", "text/event-stream"):
        case(f"Accept {a}", post(legacy("ping"), {"Accept": a}), 406, lambda b: "Send Accept" in b["error"]["hint"])
    for a in ("*/*", "application/json", "text/event-stream, application/json", "application/*", "Application/JSON; q=0.5",
              "application/json;q=0.001, */*;q=0"):
        case(f"Accept {a}", post(legacy("ping"), {"Accept": a}), 200, pong)


def sizes_and_paths():
    case("1 MiB and a byte", post(b"x" * ((1 << 20) + 1)), 413, lambda b: b["error"]["code"] == "INVALID_INPUT")
    case("40 MB are not read", post(None, {"Content-Length": "40000000"}), 413, lambda b: "error" in b)
    for path in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource",
                 "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/mcp/", "/none", "/api/v1/"):
        case(f"GET {path}", post(None, path=path, method="GET"), 404, lambda b: b["error"]["code"] == "NOT_FOUND")
    case("POST /register", post({}, path="/register"), 404, lambda b: b["error"]["code"] == "NOT_FOUND")


def two_readings():
    """What two programs could read differently."""
    for name in ("Host", "Origin", "Content-Type", "Content-Length", "Authorization", "MCP-Protocol-Version", "Mcp-Method",
                 "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"):
        case(f"{name} twice", raw(f"{name}: 1", f"{name.lower()}: 2"), 400, lambda b: "more than once" in b["error"]["message"])
    for line in ("Origin : http://evil.example.com", "X-A\xe9: b", "(: x"):
        case(f"header {line!r}", raw(line), 400, hinted)
    case("no Host", raw(host=False), 400, hinted)
    case("no Host in HTTP/1.0", raw(host=False, start="POST /mcp HTTP/1.0"), 200, pong)
    case("Content-Length and chunked", raw("Transfer-Encoding: chunked", body=b"0\r\n\r\n"), 400, hinted)
    case("Transfer-Encoding gzip", raw("Transfer-Encoding: gzip", length=False), 501, hinted)
    case("Content-Encoding gzip", raw("Content-Encoding: gzip"), 415, hinted)
    case("Content-Encoding identity", raw("Content-Encoding: identity"), 200, pong)
    case("Accept in two lines", raw("Accept: text/event-stream", "Accept: application/json"), 200, pong)
    case("%00 in the path", raw(start="POST /mcp%00x HTTP/1.1"), 400, hinted)
    case("a URL as path", raw(start="POST http://evil.example.com/mcp HTTP/1.1"), 404, lambda b: "error" in b)
    case("a folded header", raw("X-A: b\r\n c"), 200, pong)
    for n in ("-1", "+1", "1x", "0x10", "99999999999999999999999999"):
        got = raw(f"Content-Length: {n}", length=False)
        if got[0] not in (400, 413):
            fail(f"Content-Length {n}: {got}")
    case("chunked, byte by byte", chunked([ping[i:i + 1] for i in range(len(ping))]), 200, pong)
    case("chunked, too large", chunked([b" " * 65536] * 20), 413, lambda b: "error" in b)


def expectations():
    for n, line in ((len(ping), b"HTTP/1.1 100 Continue"), (2 << 20, b"HTTP/1.1 413 ")):
        got = expect_continue(n)
        if not got.startswith(line):
            fail(f"Expect: 100-continue with {n} bytes: {got!r}")


# ---- JSON-RPC ----

def deep(n):
    return b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + b"[" * (n - 2) + b"]" * (n - 2) + b"}}"


def texts():
    for body in (b"{bad", b"", b"nonsense", b'{"jsonrpc":"2.0","id":1,"method":"ping"', b'{"a":"\xff"}', b"[1,",
                 b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}',     # duplicate keys
                 b'{"jsonrpc":"2.0","id":1,"method":"ping"}\0', b"[" * 100000, b'{"a":' * 100000):
        case(f"bad JSON {body[:40]!r}", post(body), 400, code(-32700, None))
    for bad in (b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\x80", b"\\ud800", b"\\udc00\\ud800", b"\x01", b"\n"):
        case(f"a method with {bad!r}", post(b'{"jsonrpc":"2.0","id":1,"method":"ping' + bad + b'"}'), 400, code(-32700, None))
    for bad in (b'{"params":{"a":1,"a":2}}', b'{"params":{"arguments":{"x":{"y":1,"y":1}}}}',
                b'{"id":1,"id":2}', b'{"id":1,"\\u0069d":2}'):
        case(f"a key twice in {bad!r}", post(b'{"jsonrpc":"2.0","method":"ping",' + bad[1:]), 400, code(-32700, None))
    case("64 levels", post(deep(64)), 200, pong)
    case("65 levels", post(deep(65)), 400, code(-32700, None))
    case("brackets in a string are no levels", post(legacy("ping", {"a": "[{" * 100})), 200, pong)
    whole = ping + b" " * ((1 << 20) - len(ping))
    case("1 MiB", post(whole), 200, pong)
    case("1 MiB in chunks", chunked([whole[i:i + 65536] for i in range(0, 1 << 20, 65536)]), 200, pong)
    case("a text of 1 MB", post(legacy(LIST, {"cursor": "x" * 1000000})), 200, code(-32602))


def envelopes():
    for body in ([legacy("ping"), legacy("ping", id=2)], [], "text", 7, True, 1.5):
        case(f"no object {body!r}", post(body), 400, code(-32600, None))
    for id in (None, 1.5, 1.0, 1e3, {}, [], True):
        case(f"id {id!r}", post(legacy("ping", id=id)), 400, code(-32600, None))
    for id in (0, -1, "", "a\"b", "é\n", "x" * 10000, 9007199254740993, -(1 << 63), (1 << 63) - 1):
        case(f"id {id!r}", post(legacy("ping", id=id)), 200, lambda b, id=id: b["id"] == id and b["result"] == {})
    case("an id that no number of a program is", post(b'{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}'), 400,
         code(-32700, None))
    case("jsonrpc 1.0", post({"jsonrpc": "1.0", "id": 1, "method": "ping"}), 400, code(-32600))
    case("no jsonrpc", post({"id": 1, "method": "ping"}), 400, code(-32600))
    case("no method", post({"jsonrpc": "2.0", "id": 1}), 400, code(-32600))
    case("method 7", post({"jsonrpc": "2.0", "id": 1, "method": 7}), 400, code(-32600))
    case("params []", post(legacy("ping", [])), 400, code(-32602))


# ---- handshake revisions ----

def handshakes():
    for v in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
        case(f"initialize {v}", post(legacy("initialize", {"protocolVersion": v, "capabilities": {}})), 200,
             result(lambda r, v=v: r["protocolVersion"] == v and r["capabilities"] == CAPABILITIES and
                    r["serverInfo"]["name"] == "atoll" and "list_repos" in r["instructions"] and len(r["instructions"]) < 2048))
    for v in ("2026-07-28", "1.0", "2099-01-01"):
        case(f"initialize {v}", post(legacy("initialize", {"protocolVersion": v})), 200,
             result(lambda r: r["protocolVersion"] == LEGACY))
    case("initialize without a version", post(legacy("initialize", {})), 200, code(-32602))
    case("notification", post({"jsonrpc": "2.0", "method": "notifications/initialized"}), 202, None)
    case("unknown notification", post({"jsonrpc": "2.0", "method": "notifications/x"}), 202, None)
    case("response", post({"jsonrpc": "2.0", "id": 5, "result": {}}), 202, None)
    case("error response", post({"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": ""}}), 202, None)
    case("version header of the era", post(legacy("ping"), {"MCP-Protocol-Version": LEGACY}), 200, pong)
    case("unknown version header", post(legacy("ping"), {"MCP-Protocol-Version": "1999-01-01"}), 400, code(-32600))
    case("modern header, no _meta", post(legacy("ping"), {"MCP-Protocol-Version": MODERN}), 400, code(-32602))
    for m in ("server/discover", "subscriptions/listen", "logging/setLevel", "roots/list", "x", "tools/cal"):
        case(f"no method {m}", post(legacy(m)), 200, code(-32601))


# ---- 2026-07-28 ----

def newest_revision():
    case("discover", post(modern(DISCOVER), headers(DISCOVER)), 200,
         result(lambda r: fresh(r) and r["supportedVersions"] == [MODERN] and r["capabilities"] == CAPABILITIES))
    case("no clientInfo", post(modern(DISCOVER, drop=["clientInfo"]), headers(DISCOVER)), 200, result(fresh))
    case("no clientCapabilities", post(modern(DISCOVER, drop=["clientCapabilities"]), headers(DISCOVER)), 400, code(-32602))
    case("version 7", post(modern(DISCOVER, version=7), headers(DISCOVER)), 400, code(-32602))
    case("no headers", post(modern(DISCOVER)), 400, code(-32020))
    case("other version in the header", post(modern(DISCOVER), headers(DISCOVER, version=LEGACY)), 400, code(-32020))
    case("version not served", post(modern(DISCOVER, version="2099-01-01"), headers(DISCOVER, version="2099-01-01")), 400,
         lambda b: code(-32022)(b) and b["error"]["data"] == {"supported": [MODERN], "requested": "2099-01-01"})
    case("other Mcp-Method", post(modern(LIST), headers(DISCOVER)), 400, code(-32020))
    case("Mcp-Method in capitals", post(modern(LIST), headers("Tools/List")), 400, code(-32020))
    case("no Mcp-Method", post(modern(LIST), {"MCP-Protocol-Version": MODERN}), 400, code(-32020))
    case("no Mcp-Name", post(modern(CALL, GROUPS), headers(CALL)), 400, code(-32020))
    case("other Mcp-Name", post(modern(CALL, GROUPS), headers(CALL, "list_repos")), 400, code(-32020))
    case("bad base64 in Mcp-Name", post(modern(CALL, GROUPS), headers(CALL, "=?base64?!!?=")), 400, code(-32020))
    for name in ("group_list", "  group_list ", f"=?base64?{b64encode(b'group_list').decode()}?="):
        case(f"Mcp-Name `{name}`", post(modern(CALL, GROUPS), headers(CALL, name)), 200,
             result(lambda r: r["resultType"] == "complete" and not r["isError"]))
    for m in ("ping", "initialize", "x", "logging/setLevel", "resources/subscribe"):
        case(f"no method {m}", post(modern(m), headers(m)), 404, code(-32601))
    cancel = modern("notifications/cancelled", {"requestId": 1})
    del cancel["id"]
    case("notification", post(cancel, headers("notifications/cancelled")), 202, None)


# ---- tools, in both eras ----

def send_legacy(method, params, name=None):
    return post(legacy(method, params))


def send_modern(method, params, name=None):
    return post(modern(method, params), headers(method, name))


def tool_lists(era, send):
    """The tools, as they are listed twice."""
    lists = []
    for _ in range(2):
        got = send(LIST, {})
        case(f"{era} tools/list", got, 200, result(lambda r: len(r["tools"]) >= 11))
        lists.append(json.loads(got[2])["result"]["tools"])
    case(f"{era} cursor", send(LIST, {"cursor": "x"}), 200, code(-32602))
    case(f"{era} cursor ''", send(LIST, {"cursor": ""}), 200, result(lambda r: len(r["tools"]) >= 11))
    for m in ("resources/list", "resources/templates/list", "prompts/list"):
        for cursor in ("x", "0", "-100", "100", "1e2", "100 ", "\0", 7, [], True):
            case(f"{era} {m} cursor {cursor!r}", send(m, {"cursor": cursor}), 200, code(-32602))
        for p in ({}, {"cursor": ""}, {"cursor": None}):
            case(f"{era} {m} {p}", send(m, p), 200, result(lambda r: "nextCursor" not in r))
    return lists


# Names that a header cannot say as they are.
IN_HEADER = {"": "=?base64??=", "group_list\0": None, "group_list ": "=?base64?Z3JvdXBfbGlzdCA=?="}


def tool_calls(era, send):
    for args in ("x", 7, True, [{}]):
        case(f"{era} arguments {args!r}", send(CALL, {"name": "group_list", "arguments": args}, "group_list"), 200, code(-32602))
    for name in (7, None, [], {"a": 1}, "", "group_list\0", "GROUP_LIST", "group_list "):
        header = IN_HEADER.get(name, name) if isinstance(name, str) else None
        case(f"{era} name {name!r}", send(CALL, {"name": name, "arguments": {}}, header), 200, code(-32602))
    case(f"{era} unknown tool", send(CALL, {"name": "nope", "arguments": {}}, "nope"), 200, code(-32602))
    case(f"{era} tool of the command line", send(CALL, {"name": "group_create", "arguments": {}}, "group_create"), 200,
         code(-32602))
    case(f"{era} no name", send(CALL, {"arguments": {}}), 200, code(-32602))
    case(f"{era} arguments []", send(CALL, {"name": "group_list", "arguments": []}, "group_list"), 200, code(-32602))
    for args in ({"limit": 0}, {"limit": "x"}, {"nope": 1}, {"limit": 1e9}, {"limit": [1]}, {"limit": 1.5}):
        case(f"{era} list_repos {args}", send(CALL, {"name": "list_repos", "arguments": args}, "list_repos"), 200,
             tool_error("INVALID_INPUT"))
    case(f"{era} missing argument", send(CALL, {"name": "group_query", "arguments": {"group": "g"}}, "group_query"), 200,
         tool_error("INVALID_INPUT"))
    for args in ({}, {"arguments": {}}, {"arguments": None}, {"arguments": {}, "_meta": {"progressToken": 1, "x/y": {}}}):
        if era == "modern":
            args.pop("_meta", None)
        case(f"{era} group_list {args}", send(CALL, {"name": "group_list", **args}, "group_list"), 200,
             result(lambda r: not r["isError"] and r["content"][0]["type"] == "text" and "groups" in r["structuredContent"]))


def is_well_told(tool):
    hints = {"readOnlyHint": True}
    if tool["name"] == "group_sync":
        hints = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True}
    return (tool["name"].replace("_", "").isalnum() and len(tool["name"]) <= 40 and tool["title"] and
            0 < len(tool["description"]) < 2048 and tool["inputSchema"]["type"] == "object" and
            tool["outputSchema"]["type"] == "object" and tool["annotations"] == {"openWorldHint": False, **hints})


def tools_in_both_eras():
    """The tools, which are listed alike each time."""
    lists = []
    for era, send in (("legacy", send_legacy), ("modern", send_modern)):
        lists += tool_lists(era, send)
        tool_calls(era, send)
    if any(listed != lists[0] for listed in lists):
        fail("tools/list differs between calls")
    for tool in lists[0]:
        if not is_well_told(tool):
            fail(f"tool {tool['name']}")
    return lists[0]


# ---- the plain API ----

def plain_api(listed):
    case("GET /api/v1/tools", post(None, path="/api/v1/tools", method="GET"), 200,
         lambda b: {t["name"] for t in b["tools"] if t["mcp"]} == {t["name"] for t in listed} and
         any(t["name"] == "group_create" and not t["mcp"] for t in b["tools"]))
    case("API", post({}, path="/api/v1/group_list"), 200, lambda b: isinstance(b["groups"], list))
    case("API without a body", post(None, path="/api/v1/group_list", json_type=None), 200, lambda b: isinstance(b["groups"], list))
    case("API, bad arguments", post({"x": 1}, path="/api/v1/group_list"), 400, lambda b: b["error"]["code"] == "INVALID_INPUT")
    case("API, bad JSON", post(b"{x", path="/api/v1/group_list"), 400, lambda b: b["error"]["code"] == "INVALID_INPUT")
    case("API, form", post(b"a=1", path="/api/v1/group_list", json_type="text/plain"), 415, lambda b: "error" in b)
    case("API, no such tool", post({}, path="/api/v1/nope"), 404, lambda b: b["error"]["code"] == "NOT_FOUND")
    case("API by GET", post(None, path="/api/v1/group_list", method="GET"), 405, lambda b: "error" in b)
    case("healthz", post(None, path="/healthz", method="GET"), 200, lambda b: b["status"] == "ok")


def metrics():
    status, head, text = post(None, path="/metrics", method="GET")
    for want in (b'atoll_build_info{version="', b'atoll_requests_total{tool="group_list",outcome="ok"} ',
                 b'atoll_requests_total{tool="list_repos",outcome="INVALID_INPUT"} ', b'atoll_members{health="healthy"} ',
                 b'atoll_request_seconds_bucket{tool="group_list",le="+Inf"} '):
        if status != 200 or want not in text:
            fail(f"metrics: {want}")


def main():
    who_may_talk()
    methods_and_types()
    sizes_and_paths()
    two_readings()
    expectations()
    texts()
    envelopes()
    handshakes()
    newest_revision()
    plain_api(tools_in_both_eras())
    metrics()
    print(f"{failed} failed" if failed else "all as specified")
    sys.exit(bool(failed))


main()
