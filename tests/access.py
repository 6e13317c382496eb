#!/usr/bin/env python3
"""
access.py URL OTHER NAME=TOKEN=TOKEN...: what limited tokens are told by the federation at URL, in which some repositories are
hidden from them, and by OTHER, which has only the others.  Each token has the same limits at both.  Every tool, resource, prompt,
completion and page must be answered with the same bytes, but for times and addresses; and nothing may hold `zqx`, of which all
that is hidden is full, unless the question did.  HIDDEN_JOB in the environment: a job of a hidden repository at URL.
"""
import base64
import os
import http.client
import json
import re
import sys
import urllib.parse

CANARY = "zqx"
VARIES = re.compile(r'\\*"?(took_ms|elapsed_ms|elapsedMs|uptime_ms|uptime_seconds|membership|http)\\*"?[: ]+(\\*"[^"\\]*\\*"|[-0-9.]+)'
                    r'|20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|[Mm]cp-[Ss]ession-[Ii]d\', \'[0-9a-f]+')
CHECKED = re.compile(r'\\*"checked_at\\*":\s?\\*"[^"\\]*\\*",\s?|checked_at: [-0-9T:.]+Z; ')   # after the first job of a repository, which comes when it comes
SEEN, HIDDEN, NEVER = ("users", "web"), ("zqxvault", "zqxshadow"), ("zqxnever", "nobody")
GROUPS = ("all", "seen", "mixed", "zqxdark", "zqxdork", "nowhere")
SYMBOLS = ("get_user", "loadProfile", "app.py", "zqx_entries", "zqxLoadProfile", "zqxutil.js", "nothing_such")


def hidden(more):
    return [dict(more, **x) for x in ({"repo": "zqxvault"}, {"repo_uri": "git.example/acme/zqxvault"}, {"repo": "acme/zqxshadow"}, {"repo": "zqxnever"},
                                      {"repo_uri": "git.example/acme/nobody"}, {})]


def repos(more):
    return [dict(more, repo="web"), dict(more, repo_uri="git.example/acme/users"), *hidden(more)]


def symbols(more=None):
    return [dict(more or {}, symbol=s, repo=r) for s in SYMBOLS for r in SEEN] + [x for s in SYMBOLS[:1] + SYMBOLS[3:4] for x in hidden(dict(more or {}, symbol=s))]


def groups(more=None):
    return [dict(more or {}, group=g) for g in GROUPS]


def scopes(query):
    for kind in ({"type": "all"}, {"type": "repo", "repo": "zqxvault"}, {"type": "repos", "repos": ["web", "users"]},
                 {"type": "repos", "repos": ["web", "zqxvault"]}, {"type": "repos", "repos": ["web", "zqxnever"]}):
        yield {"query": query, "scope": kind}


QUERIES = ("profile of a user", "get_user", "users", "cancel*", '"profile of a user"', "zqx*", "zqxdoc", "zqx_entries", "zqxledger.py")
QUESTIONS = {
    "list_repos": [{}, {"limit": 1}, *groups(), *repos({})],
    "status": [{}],
    "live": [{}],
    "source_list": [{}],
    "group_list": [{}],
    "group_status": groups(),
    "group_contracts": groups() + groups({"limit": 1}) + [{"group": "all", "path": "zqx"}, {"group": "all", "path": "/users", "method": "GET"},
                                                          {"group": "all", "repo_uri": "git.example/acme/zqxvault"}, {"group": "all", "kinds": ["topic"]},
                                                          {"group": "all", "repo_uri": "git.example/acme/users"}],
    "group_cross_repo_links": groups() + groups({"limit": 1}) + [{"group": "all", "repo_uri": "git.example/acme/zqxvault"}, {"group": "all", "relation": "depends_on_package"}],
    "contract_list": groups() + groups({"min_confidence": 0.6}) + [dict(x, group="all") for x in (
        {"producer": "git.example/acme/zqxvault"}, {"consumer": "git.example/acme/zqxnever"}, {"producer": "git.example/acme/users", "limit": 1},
        {"consumer": "git.example/acme/web", "cross_repo": True}, {"list": "unresolved"}, {"list": "idle"}, {"reasons": ["no-producer", "ambiguous"]})],
    "link_list": groups() + groups({"min_confidence": 0.6}) + [dict(x, group="all") for x in (
        {"source": "git.example/acme/zqxvault"}, {"target": "git.example/acme/users"}, {"source": "git.example/acme/web", "limit": 1},
        {"relations": ["consumes_route"]}, {"repo_uri": "git.example/acme/nobody"})],
    "repo_graph": groups() + groups({"owners": True}) + groups({"min_confidence": 0.6}),
    "group_query": [x for q in QUERIES for x in groups({"query": q})] + [{"group": "all", "query": "profile", "limit": 1}] +
                   [{"group": "all", "query": "profile of a user", "fusion": f} for f in ("rrf", "per_repo")] +
                   [{"group": "all", "query": "profile", "mode": m} for m in ("lexical", "vector")] +
                   [{"group": "all", "query": "profile", "repos": ["web", "zqxvault"]}, {"group": "all", "query": "profile", "languages": ["ruby"]}],
    "scope_query": [x for q in QUERIES[:4] for x in scopes(q)] + [dict(x, limit=1, kinds=["function"]) for x in scopes("profile")],
    "query": [x for q in QUERIES for x in repos({"query": q})],
    "search_code": [x for q in QUERIES[:4] for x in scopes(q)] + list(repos({"query": "profile"})),
    "ask_code": list(scopes("who shows the profile of a user?")) + list(repos({"query": "profile"})),
    "open_file": [x for p in ("app.py", "client.js", "zqxsrc/zqxledger.py", "nginx.conf", "none.py") for x in repos({"path": p})],
    "file_map": [x for p in ("app.py", "client.js", "zqxsrc/zqxledger.py", "none.py") for x in repos({"path": p})],
    "context": symbols(),
    "signature": symbols(),
    "impact": symbols() + symbols({"direction": "downstream"}),
    "owners": [x for p in ("", "app.py", "zqxutil.js") for x in repos({"path": p})],
    "detect_changes": list(repos({})),
    "route_map": list(repos({})) + list(repos({"route": "/users"})),
    "api_impact": [x for r in ("GET /users/{}", "/orders/cancel", "/zqxroute/{}") for x in repos({"route": r})],
    "repo_schema": list(repos({})),
    "group_sync": groups(),
    "job_list": [{}, {"limit": 1}, {"state": "done"}, *repos({})],
    "job_show": [{"id": i} for i in ("JOB", "0123456789abcdef", "zqx")],
    "job_cancel": [{"id": i} for i in ("JOB", "0123456789abcdef", "zqx")],
    "jobs": [x for x in hidden({"kind": "build"}) if "repo" in x or "repo_uri" in x] + hidden({"kind": "zqx"}),
    "repo_analyze": [x for x in repos({}) if "zqx" in str(x)],
}
URIS = ["groups"] + ["group/%s/%s" % (g, leaf) for g in GROUPS for leaf in ("status", "contracts", "graph")] + \
    ["repo/%s/%s" % (urllib.parse.quote("git.example/acme/" + r, safe=""), leaf) for r in SEEN + HIDDEN + NEVER for leaf in ("context", "schema", "routes")]


class Federation:
    def __init__(self, url, token):
        self.at = http.client.HTTPConnection(urllib.parse.urlparse(url).netloc, timeout=60)
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token}

    def ask(self, method, path, body=None, more=None):
        self.at.request(method, path, None if body is None else json.dumps(body), dict(self.headers, **(more or {})))
        r = self.at.getresponse()
        said = r.read().decode()
        named = [h for h in r.getheaders() if h[0] not in ("Date", "Content-Length")]
        return "%d %s\n%s" % (r.status, named, said)


class Matrix:
    """Both federations with one token of each; counts what differs."""

    def __init__(self, name, url, token, other, other_token):
        self.name, self.bad, self.asked, self.answered = name, 0, 0, 0
        self.whole, self.less = Federation(url, token), Federation(other, other_token)

    def same(self, method, path, body=None, more=None):
        raw = self.whole.ask(method, path, body, more)
        got, want = (VARIES.sub("@", CHECKED.sub("", s)) for s in (raw, self.less.ask(method, path, body, more)))
        self.asked += 1
        self.answered += raw.startswith("200 ")
        at = next((i for i, (x, y) in enumerate(zip(got, want)) if x != y), None)
        if at is None and len(got) != len(want):
            at = min(len(got), len(want))
        leak = CANARY in raw.lower() and CANARY not in json.dumps(body).lower() + path
        if at is not None or leak:
            self.bad += 1
            at = raw.lower().index(CANARY) if leak else at
            print("%s: %s %s\n- …%s\n+ …%s" % (self.name, path, json.dumps(body), want[max(0, at - 150):at + 250], (raw if leak else got)[max(0, at - 150):at + 250]))
        return raw

    def tool(self, name, args):
        raw = self.same("POST", "/api/v1/" + name, {k: os.environ["HIDDEN_JOB"] if v == "JOB" else v for k, v in args.items()})
        cursor = re.search(r'"next_cursor":"([^"]+)"', raw)
        if cursor and len(args.get("cursor", "")) < 200 and "page" not in name:
            if CANARY.encode() in base64.b64decode(cursor[1] + "==", validate=False):
                self.bad += 1
                print("%s: %s: a cursor names what is hidden" % (self.name, name))
            if self.pages < 12:
                self.pages += 1
                self.tool(name, dict(args, cursor=cursor[1]))

    def rpc(self, method, params):
        self.same("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    def modern(self, method, params, name=None):
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
        self.same("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params, _meta=meta)},
                  {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, **({"Mcp-Name": name} if name else {})})

    def tools(self):
        offered = {t["name"]: t for t in json.loads(self.whole.ask("GET", "/api/v1/tools").split("\n", 1)[1])["tools"]}
        for name in offered:
            if name in QUESTIONS:
                for args in QUESTIONS[name]:
                    self.pages = 0
                    self.tool(name, args)
            else:   # for tokens without limits; whatever is named
                for args in ({}, {"repo": "zqxvault"}, {"group": "zqxdark", "repos": ["zqxvault"]}, {"group": "all"}, {"source": "/zqx"}, {"name": "admin"}):
                    if not self.whole.ask("POST", "/api/v1/" + name, args).startswith("403 "):
                        self.bad += 1
                        print("%s: %s is neither asked nor forbidden: give it a row" % (self.name, name))
                    self.same("POST", "/api/v1/" + name, args)

    def mcp(self):
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
            self.rpc(method, {})
            self.modern(method, {})
        self.modern("server/discover", {})
        for uri in URIS:
            self.rpc("resources/read", {"uri": "atoll://" + uri})
        self.modern("resources/read", {"uri": "atoll://group/all/contracts"}, "atoll://group/all/contracts")
        for tool in ("list_repos", "group_contracts", "group_query", "query", "context", "route_map", "group_status"):
            for args in QUESTIONS[tool][:12]:
                self.rpc("tools/call", {"name": tool, "arguments": args})
        self.modern("tools/call", {"name": "list_repos", "arguments": {}}, "list_repos")
        for value in ("", "z", "zqx", "acme/", "git", "u", "a", "m"):
            for name in ("repo", "repo_uri", "group", "name"):
                self.rpc("completion/complete", {"ref": {"type": "ref/prompt", "name": "review_impact"}, "argument": {"name": name, "value": value}})
            for repo in SEEN + HIDDEN + NEVER:
                self.rpc("completion/complete", {"ref": {"type": "ref/prompt", "name": "review_impact"}, "argument": {"name": "symbol", "value": value},
                                                 "context": {"arguments": {"repo": repo}}})
        self.session()
        self.rpc("prompts/get", {"name": "understand_repository", "arguments": {"repo": "zqxvault"}})

    def session(self):
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}}
        self.same("POST", "/mcp", hello)
        for f in (self.whole, self.less):
            f.headers["Mcp-Session-Id"] = re.search(r"[Mm]cp-[Ss]ession-[Ii]d', '([^']+)'", f.ask("POST", "/mcp", hello))[1]
        for uri in URIS:
            self.rpc("resources/subscribe", {"uri": "atoll://" + uri})
        self.same("DELETE", "/mcp")
        for f in (self.whole, self.less):
            del f.headers["Mcp-Session-Id"]

    def others(self):
        for g in GROUPS:
            self.same("GET", "/api/v1/graph?group=" + g)
        for path in ("/readyz", "/healthz", "/metrics", "/api/v1/tools", "/api/v1/graph"):
            self.same("GET", path)


def main():
    url, other, tokens = sys.argv[1], sys.argv[2], [x.split("=") for x in sys.argv[3:]]
    bad = asked = answered = 0
    for name, token, other_token in tokens:
        m = Matrix(name, url, token, other, other_token)
        m.tools()
        m.mcp()
        m.others()
        bad, asked, answered = bad + m.bad, asked + m.asked, answered + m.answered
    if answered < 200 * len(tokens):
        sys.exit("only %d of %d questions are answered: this shows nothing" % (answered, asked))
    print("%d questions of %d tokens, %d of them answered; %d betray something" % (asked, len(tokens), answered, bad))
    sys.exit(bad > 0)


main()
