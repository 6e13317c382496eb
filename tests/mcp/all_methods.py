#!/usr/bin/env python3
"""all_methods.py URL [REPO_URI]: every method of MCP in every revision, with correct and wrong requests.  With REPO_URI (the shop's orders,
in the group `shop`) also every tool; without it the fixtures of --conformance, with their requests and notifications to the client.
This only checks that there is an answer; records.mjs checks what the answers look like.  An unknown method or tool fails."""
import http.client, json, os, re, sys
from urllib.parse import urlsplit

url, repo = urlsplit(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
HERE = os.path.dirname(os.path.abspath(__file__))
META, MODERN = "io.modelcontextprotocol/", "2026-07-28"
CAN = {"sampling": {}, "elicitation": {}, "roots": {}}
REVISIONS = sorted(f[:-5] for f in os.listdir(f"{HERE}/schema") if f.endswith(".json"))
METHODS = [(n, legacy == "true", modern == "true") for n, legacy, modern in
           re.findall(r'METHOD\("([^"]+)",\s*(\w+),\s*(\w+),', open(f"{HERE}/../../coordinator/mcp/mcp.def").read())]


class Client:
    """Speaks one revision, in a session when it has them."""

    def __init__(self, revision):
        self.revision, self.session, self.id = revision, {}, 0
        if revision != MODERN:
            _, head = self.post("initialize", {"protocolVersion": revision, "capabilities": CAN,
                                               "clientInfo": {"name": "walk", "version": "1"}})
            self.session = {"Mcp-Session-Id": head["Mcp-Session-Id"], "MCP-Protocol-Version": revision}

    def open(self, message, headers={}):
        c = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
        h = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **self.session, **headers}
        c.request("POST" if message else "GET", "/mcp", json.dumps(message) if message else None, h)
        return c.getresponse()

    def send(self, method, params, meta={}):
        self.id += 1
        headers = {}
        if self.revision == MODERN:
            meta = {META + "protocolVersion": MODERN, META + "clientCapabilities": CAN, **meta}
            headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
            if method in ("tools/call", "prompts/get", "resources/read"):
                headers["Mcp-Name"] = params.get("name") or params.get("uri") or ""
        if meta:
            params = {**params, "_meta": meta}
        return self.open({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}, headers)

    def post(self, method, params, meta={}, answer=None):
        """The answer, and its headers; what the server asks for meanwhile is answered by `answer`, an object for its method."""
        r = self.send(method, params, meta)
        if r.headers["Content-Type"] != "text/event-stream":
            return json.load(r), r.headers
        for m in events(r):
            if "method" not in m:
                return m, r.headers
            if "id" in m:
                said = self.open({"jsonrpc": "2.0", "id": m["id"], **answer(m["method"])})
                assert said.status == 202, said.status
        raise AssertionError(f"{method}: the stream ended without an answer")

    def works(self, method, params, **more):
        m, _ = self.post(method, params, **more)
        assert "result" in m and not m["result"].get("isError"), (self.revision, method, params, m)
        return m["result"]

    def fails(self, method, params, code, **more):
        m, _ = self.post(method, params, **more)
        assert m.get("error", {}).get("code") == code, (self.revision, method, params, m)

    def call(self, name, arguments, **more):
        return self.works("tools/call", {"name": name, "arguments": arguments}, **more)


def events(response):
    for line in response:
        if line.startswith(b"data: ") and len(line) > 7:
            yield json.loads(line[6:])


THING, NOTHING = ("atoll://group/shop/contracts", "atoll://group/none/status") if repo else ("test://static-text", "test://nothing")
PROMPT = {"name": "onboard_to_group", "arguments": {"group": "shop"}} if repo else {"name": "test_simple_prompt"}
COMPLETES = {"ref": {"type": "ref/prompt", "name": "onboard_to_group" if repo else "test_prompt_with_arguments"},
             "argument": {"name": "group" if repo else "arg1", "value": ""}}
TOOL = {"name": "group_list", "arguments": {}}
LISTEN = {"notifications": {"resourcesListChanged": True, "toolsListChanged": True, "promptsListChanged": True,
                            "resourceSubscriptions": [THING]}}
# Of each method what works, and what does not with which code.
CASES = {
    "initialize": ({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "walk", "version": "1"}}, [({}, -32602)]),
    "ping": ({}, []),
    "server/discover": ({}, []),
    "logging/setLevel": (None if repo else {"level": "warning"}, [({"level": "warning"}, -32601)] if repo else [({"level": "x"}, -32602)]),
    "tools/list": ({}, [({"cursor": "x"}, -32602)]),
    "tools/call": (TOOL, [({"name": "nope"}, -32602), ({"name": "group_list", "arguments": []}, -32602)]),
    "resources/list": ({}, [({"cursor": "x"}, -32602)]),
    "resources/templates/list": ({}, [({"cursor": "x"}, -32602)]),
    "resources/read": ({"uri": THING}, [({"uri": NOTHING}, None)]),
    "resources/subscribe": ({"uri": THING}, [({"uri": NOTHING}, None)]),
    "resources/unsubscribe": ({"uri": THING}, []),
    "prompts/list": ({}, [({"cursor": "x"}, -32602)]),
    "prompts/get": (PROMPT, [({"name": "nope"}, -32602)]),
    "completion/complete": (COMPLETES, [({"ref": {"type": "x"}, "argument": {"name": "a", "value": ""}}, -32602)]),
    "subscriptions/listen": (None, [({"notifications": 7}, -32602)]),
}
R = {"repo_uri": repo}
G = {"group": "shop"}
TOOLS = {
    "list_repos": {}, "search_code": {**R, "query": "order"}, "ask_code": {**R, "query": "how is an order made?"},
    "open_file": {**R, "path": "README.md"},
    "query": {**R, "query": "order"}, "context": {**R, "symbol": "OrderBook"}, "impact": {**R, "symbol": "OrderBook"},
    "signature": {**R, "symbol": "OrderBook"},
    "route_map": R, "api_impact": None, "detect_changes": R, "group_list": {},
    "group_query": {**G, "query": "reserve stock"}, "group_status": G,
    "group_contracts": G, "group_cross_repo_links": G, "group_sync": G, "owners": R, "repo_graph": G, "packages": G,
    "explain_link": {"from": repo, "to": repo}, "find_references": {**R, "symbol": "OrderBook"}, "package_api": {**R}, "grep": {**G, "pattern": "order[A-Z]"},
}


def walk_methods(c):
    for method, legacy, modern in METHODS:
        works, wrong = CASES[method]
        if not (modern if c.revision == MODERN else legacy):
            c.fails(method, works or {}, -32601)
            continue
        if works is not None:
            c.works(method, works)
        for params, code in wrong:
            c.fails(method, params, code or (-32602 if c.revision == MODERN else -32002))
    bad, _ = c.post("tools/call", {"name": "list_repos", "arguments": {"limit": 0}})
    assert bad["result"]["isError"], bad


def walk_tools(c):
    names = [t["name"] for t in c.works("tools/list", {})["tools"]]
    routes = c.call("route_map", R)["structuredContent"]["routes"]
    for name in names:
        c.call(name, {**R, "route": routes[0]["path"]} if name == "api_impact" else TOOLS[name],
               meta={"progressToken": f"{name} {c.revision}"})
    assert set(names) == set(TOOLS), set(names) ^ set(TOOLS)


ANSWERS = {
    "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "Yes."}, "model": "m", "stopReason": "endTurn"},
    "elicitation/create": {"action": "accept", "content": {"username": "u", "email": "e@x", "name": "n", "ok": True}},
    "roots/list": {"roots": [{"uri": "file:///tmp", "name": "tmp"}]},
}


def walk_asked(c):
    """What the handshake revisions ask in requests of their own, and a client that refuses."""
    ask = {"answer": lambda method: {"result": ANSWERS[method]}}
    c.call("test_sampling", {"prompt": "well?"}, **ask)
    c.call("test_input_required_result_list_roots", {}, **ask)
    if c.revision < "2025-06-18":       # which has no elicitation, whatever a client says that it can
        c.fails("tools/call", {"name": "test_elicitation", "arguments": {"message": "well?"}}, -32600)
    else:
        c.call("test_elicitation", {"message": "well?"}, **ask)
        c.call("test_elicitation_sep1034_defaults", {}, **ask)
        c.call("test_input_required_result_multiple_inputs", {}, **ask)
    if c.revision == "2025-11-25":      # the first to have choices of several
        c.call("test_elicitation_sep1330_enums", {}, **ask)
    c.call("test_tool_with_progress", {}, meta={"progressToken": 7})
    c.call("test_tool_with_logging", {})
    c.fails("tools/call", {"name": "test_sampling", "arguments": {"prompt": "well?"}}, -32603,
            answer=lambda method: {"error": {"code": -1, "message": "no"}})


def walk_told(c, stream):
    """What is told unasked on the stream."""
    want = ["notifications/tools/list_changed", "notifications/prompts/list_changed"]
    told = events(stream)
    if c.revision == MODERN:
        assert next(told)["method"] == "notifications/subscriptions/acknowledged"
    c.call("test_trigger_tool_change", {})
    c.call("test_trigger_prompt_change", {})
    assert [next(told)["method"] for _ in want] == want


for revision in REVISIONS:
    c = Client(revision)
    walk_methods(c)
    if repo:
        walk_tools(c)
    else:
        if revision != MODERN:
            walk_asked(c)
        walk_told(c, c.send("subscriptions/listen", LISTEN) if revision == MODERN else c.open(None))
print(f"{len(METHODS)} methods in {len(REVISIONS)} revisions")
