#!/usr/bin/env python3
"""
access.py URL OTHER NAME=TOKEN=TOKEN...: compares the answers to limited tokens of the federation at URL, in which some repositories
are hidden from them, with those of OTHER, which has only the visible ones.  Each token has the same limits at both.  Every tool,
resource, prompt, completion and page must give the same bytes, except for times and addresses; and no answer may contain `zqx`,
which is part of every name in the hidden repositories, unless the request did.  HIDDEN_JOB (environment): a job of a hidden
repository at URL.
"""
import base64
import os
import http.client
import json
import re
import sys
import urllib.parse

CANARY = "zqx"
NUMBER = r"took_ms|ingest_ms|elapsed_ms|elapsedMs|uptime_ms|uptime_seconds|membership|http"
VARIES = re.compile(rf'\\*"?({NUMBER})\\*"?[: ]+(\\*"[^"\\]*\\*"|[-0-9.]+)'
                    r'|20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|[Mm]cp-[Ss]ession-[Ii]d\', \'[0-9a-f]+')
# After the first job of a repository, which comes when it comes.
CHECKED = re.compile(r',?\s?\\*"checked_at\\*":\s?\\*"[^"\\]*\\*"|checked_at: [-0-9T:.]+Z; ')
SEEN, HIDDEN, NEVER = ("users", "web"), ("zqxvault", "zqxshadow"), ("zqxnever", "nobody")
GROUPS = ("all", "seen", "mixed", "zqxdark", "zqxdork", "nowhere")
SYMBOLS = ("get_user", "loadProfile", "app.py", "zqx_entries", "zqxLoadProfile", "zqxutil.js", "nothing_such")
USERS, WEB, VAULT = "git.example/acme/users", "git.example/acme/web", "git.example/acme/zqxvault"
NOBODY, NONE = "git.example/acme/nobody", "git.example/acme/zqxnever"


# ---- what is asked: arguments `more`, of each repository, symbol, group or scope ----

def hidden(more):
    """Of what is hidden, of what there is not, and of nothing."""
    of = ({"repo": "zqxvault"}, {"repo_uri": VAULT}, {"repo": "acme/zqxshadow"}, {"repo": "zqxnever"}, {"repo_uri": NOBODY}, {})
    return [{**more, **x} for x in of]


def repos(**more):
    return [{**more, "repo": "web"}, {**more, "repo_uri": USERS}, *hidden(more)]


def symbols(**more):
    seen = [{**more, "symbol": s, "repo": r} for s in SYMBOLS for r in SEEN]
    return seen + [x for s in ("get_user", "zqx_entries") for x in hidden({**more, "symbol": s})]


def groups(**more):
    return [{**more, "group": g} for g in GROUPS]


def of_all(*each):
    return [{"group": "all", **more} for more in each]


def scopes(query, **more):
    kinds = [{"type": "all"}, {"type": "repo", "repo": "zqxvault"}]
    kinds += [{"type": "repos", "repos": ["web", other]} for other in ("users", "zqxvault", "zqxnever")]
    return [{"query": query, "scope": kind, **more} for kind in kinds]


def every(of, key, values):
    return [x for value in values for x in of(**{key: value})]


def job(*ids):
    return [{"id": i} for i in ids]


QUERIES = ("profile of a user", "get_user", "users", "cancel*", '"profile of a user"', "zqx*", "zqxdoc", "zqx_entries", "zqxledger.py")
FEW_QUERIES = QUERIES[:4]
FILES = ("app.py", "client.js", "zqxsrc/zqxledger.py", "none.py")
QUESTIONS = {
    "list_repos": [{}, {"limit": 1}, *groups(), *repos()],
    "status": [{}],
    "live": [{}],
    "source_list": [{}],
    "group_list": [{}],
    "group_status": groups(),
    "group_contracts": groups() + groups(limit=1) + of_all(
        {"path": "zqx"}, {"path": "/users", "method": "GET"}, {"repo_uri": VAULT}, {"kinds": ["topic"]}, {"repo_uri": USERS}),
    "group_cross_repo_links": groups() + groups(limit=1) + of_all(
        {"repo_uri": VAULT}, {"relation": "depends_on_package"}, {"relation": "uses_symbol"}, {"relation": "uses_symbol", "detail": "each"}),
    "contract_list": groups() + groups(min_confidence=0.6) + of_all(
        {"producer": VAULT}, {"consumer": NONE}, {"producer": USERS, "limit": 1}, {"consumer": WEB, "cross_repo": True},
        {"list": "unresolved"}, {"list": "idle"}, {"reasons": ["no-producer", "ambiguous"]}),
    "link_list": groups() + groups(min_confidence=0.6) + of_all(
        {"source": VAULT}, {"target": USERS}, {"source": WEB, "limit": 1}, {"relations": ["consumes_route"]}, {"repo_uri": NOBODY}),
    "explain_link": [{"from": x, "to": y} for x in (WEB, USERS, VAULT, NONE) for y in (USERS, VAULT, NOBODY)] + [
        {"from": "web", "to": "users", "group": "zqxdark"}, {"from": WEB, "path": "/users"}, {"from": WEB, "path": "zqx"}],
    "find_references": every(repos, "symbol", ("get_user", "zqx_entries", "nobody")),
    "package_api": repos() + groups(repo_uri=VAULT) + groups(repo_uri=USERS) + of_all(
        {"repo_uri": WEB, "limit": 1}, {"repo_uri": USERS, "ecosystem": "python"}, {"repo_uri": USERS, "unused": True}, {"repo_uri": WEB, "package": "zqx"}),
    "packages": groups() + groups(limit=1) + repos() + groups(external=True) + of_all(
        {"repo_uri": VAULT}, {"repo_uri": WEB}, {"name": "zqx"}, {"ecosystem": "npm"}),
    "repo_graph": groups() + groups(owners=True) + groups(min_confidence=0.6),
    "group_query": every(groups, "query", QUERIES) + of_all(
        {"query": "profile", "limit": 1},
        {"query": "profile of a user", "fusion": "rrf"}, {"query": "profile of a user", "fusion": "per_repo"},
        {"query": "profile", "mode": "lexical"}, {"query": "profile", "mode": "vector"},
        {"query": "profile", "repos": ["web", "zqxvault"]}, {"query": "profile", "languages": ["ruby"]}),
    "scope_query": every(scopes, "query", FEW_QUERIES) + scopes("profile", limit=1, kinds=["function"]),
    "query": every(repos, "query", QUERIES),
    "grep": every(groups, "pattern", ("get_user", "zqx")) + repos(pattern="profile") + of_all(
        {"pattern": "e", "output_mode": "count"}, {"pattern": "user", "output_mode": "files"}, {"pattern": "user", "repos": ["zqxvault"]}, {"pattern": "user", "limit": 1}),
    "search_code": every(scopes, "query", FEW_QUERIES) + repos(query="profile"),
    "ask_code": scopes("who shows the profile of a user?") + repos(query="profile"),
    "open_file": every(repos, "path", (*FILES, "nginx.conf")),
    "file_map": every(repos, "path", FILES),
    "context": symbols(),
    "signature": symbols(),
    "impact": symbols() + symbols(direction="downstream"),
    "owners": every(repos, "path", ("", "app.py", "zqxutil.js")),
    "detect_changes": repos(),
    "route_map": repos() + repos(route="/users"),
    "api_impact": every(repos, "route", ("GET /users/{}", "/orders/cancel", "/zqxroute/{}")),
    "repo_schema": repos(),
    "repo_status": repos(),
    "group_sync": groups(),
    "job_list": [{}, {"limit": 1}, {"state": "done"}, *repos()],
    "job_show": job("JOB", "0123456789abcdef", "zqx"),
    "job_cancel": job("JOB", "0123456789abcdef", "zqx"),
    "jobs": [x for x in hidden({"kind": "build"}) if "repo" in x or "repo_uri" in x] + hidden({"kind": "zqx"}),
    "repo_analyze": [x for x in repos() if "zqx" in str(x)],
}
# Of tools that are for tokens without limits: whatever is named.
FORBIDDEN = ({}, {"repo": "zqxvault"}, {"group": "zqxdark", "repos": ["zqxvault"]}, {"group": "all"}, {"source": "/zqx"}, {"name": "admin"})


def uris():
    yield "atoll://groups"
    for group in GROUPS:
        yield from (f"atoll://group/{group}/{leaf}" for leaf in ("status", "contracts", "graph"))
    for repo in SEEN + HIDDEN + NEVER:
        name = urllib.parse.quote("git.example/acme/" + repo, safe="")
        yield from (f"atoll://repo/{name}/{leaf}" for leaf in ("context", "schema", "routes"))


URIS = list(uris())


# ---- asking both ----

class Federation:
    def __init__(self, url, token):
        self.at = http.client.HTTPConnection(urllib.parse.urlparse(url).netloc, timeout=60)
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                        "Authorization": "Bearer " + token}

    def ask(self, method, path, body=None, more=None):
        self.at.request(method, path, None if body is None else json.dumps(body), dict(self.headers, **(more or {})))
        r = self.at.getresponse()
        said = r.read().decode()
        named = [h for h in r.getheaders() if h[0] not in ("Date", "Content-Length")]
        return "%d %s\n%s" % (r.status, named, said)


class Matrix:
    """Both federations with one token of each; counts what differs, or betrays what is hidden."""

    def __init__(self, name, url, token, other, other_token):
        self.name, self.bad, self.asked, self.answered = name, 0, 0, 0
        self.whole, self.less = Federation(url, token), Federation(other, other_token)

    def same(self, method, path, body=None, more=None):
        raw = self.whole.ask(method, path, body, more)
        got, want = (VARIES.sub("@", CHECKED.sub("", s)) for s in (raw, self.less.ask(method, path, body, more)))
        self.asked += 1
        self.answered += raw.startswith("200 ")
        if CANARY in raw.lower() and CANARY not in json.dumps(body).lower() + path:
            self.tell(path, body, want, raw, raw.lower().index(CANARY))
        elif got != want:
            self.tell(path, body, want, got, len(os.path.commonprefix([got, want])))
        return raw

    def tell(self, path, body, want, got, at):
        """What differs, or should not be there."""
        self.bad += 1
        want, got = (s[max(0, at - 150):at + 250] for s in (want, got))
        print(f"{self.name}: {path} {json.dumps(body)}\n- …{want}\n+ …{got}")

    def tool(self, name, args):
        asked = {k: os.environ["HIDDEN_JOB"] if v == "JOB" else v for k, v in args.items()}
        raw = self.same("POST", "/api/v1/" + name, asked)
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
        offered = json.loads(self.whole.ask("GET", "/api/v1/tools").split("\n", 1)[1])["tools"]
        for name in (t["name"] for t in offered):
            if name not in QUESTIONS:
                self.forbidden(name)
            for args in QUESTIONS.get(name, ()):
                self.pages = 0
                self.tool(name, args)

    def forbidden(self, name):
        for args in FORBIDDEN:
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
            self.rpc("resources/read", {"uri": uri})
        self.modern("resources/read", {"uri": "atoll://group/all/contracts"}, "atoll://group/all/contracts")
        for tool in ("list_repos", "group_contracts", "group_query", "query", "context", "route_map", "group_status"):
            for args in QUESTIONS[tool][:12]:
                self.rpc("tools/call", {"name": tool, "arguments": args})
        self.modern("tools/call", {"name": "list_repos", "arguments": {}}, "list_repos")
        self.completion()
        self.session()
        self.rpc("prompts/get", {"name": "understand_repository", "arguments": {"repo": "zqxvault"}})

    def completion(self):
        prompt = {"type": "ref/prompt", "name": "review_impact"}
        for value in ("", "z", "zqx", "acme/", "git", "u", "a", "m"):
            for name in ("repo", "repo_uri", "group", "name"):
                self.rpc("completion/complete", {"ref": prompt, "argument": {"name": name, "value": value}})
            for repo in SEEN + HIDDEN + NEVER:
                self.rpc("completion/complete", {"ref": prompt, "argument": {"name": "symbol", "value": value},
                                                 "context": {"arguments": {"repo": repo}}})

    def session(self):
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}}
        self.same("POST", "/mcp", hello)
        for f in (self.whole, self.less):
            f.headers["Mcp-Session-Id"] = re.search(r"[Mm]cp-[Ss]ession-[Ii]d', '([^']+)'", f.ask("POST", "/mcp", hello))[1]
        for uri in URIS:
            self.rpc("resources/subscribe", {"uri": uri})
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
