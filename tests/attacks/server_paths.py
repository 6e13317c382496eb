"""server_paths.py URL CANARY NAME=TOKEN...: checks that no answer to a limited token contains CANARY, which is part of every path of the
server, and that answers to `admin` do.

Tries every tool with every argument that can be a repository, group, path or id, and resources, metrics and errors.
"""
import http.client
import json
import sys
import urllib.parse

URL, CANARY = sys.argv[1], sys.argv[2]
VALUES = {
    "repo": ["web", "users", "broken", "nothing"], "repo_uri": [None], "group": ["all", "nothing"], "path": ["app.py", "nothing", ""],
    "symbol": ["get_user", "nothing"], "query": ["user"], "route": ["/users", "GET /users/{}"], "id": ["JOB", "nothing"],
    "scope": [{"type": "all"}, {"type": "repos", "repos": ["web", "broken"]}], "source": ["/nothing"], "name": ["n"], "kind": ["build"],
    "repos": [["web"]], "visibility": ["private"], "state": [None, "failed"],
}


class Caller:
    def __init__(self, token):
        self.at = http.client.HTTPConnection(urllib.parse.urlparse(URL).netloc, timeout=60)
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                        "Authorization": "Bearer " + token}
        self.asked, self.told = 0, []

    def ask(self, method, path, body=None):
        self.at.request(method, path, None if body is None else json.dumps(body), self.headers)
        said = self.at.getresponse().read().decode()
        self.asked += 1
        if CANARY in said:
            at = said.index(CANARY)
            self.told.append(f"{path} {json.dumps(body)}: …{said[max(0, at - 150):at + 80]}")
        return said

    def tools(self, writes):
        for tool in json.loads(self.ask("GET", "/api/v1/tools"))["tools"]:
            # the whole registry, for backups: of tokens without limits alone, like their hashes in there
            if tool["name"] == "registry_export":
                continue
            if tool.get("annotations", {}).get("readOnlyHint", True) is False and not writes:
                continue
            for args in self.questions(tool["inputSchema"]):
                self.ask("POST", "/api/v1/" + tool["name"], args)
            self.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool["name"], "arguments": args}})

    def questions(self, schema):
        """Each value of each property once, beside the first ones of those that must be there."""
        names = [n for n in schema.get("properties", {}) if n in VALUES]
        must = {n: VALUES[n][0] for n in schema.get("required", []) if n in VALUES}
        for first in ("repo", "group"):
            if first in names and not must.get(first):
                must[first] = VALUES[first][0]
        yield must
        yield {"nothing": CANARY[:3]}
        for name in names:
            for value in VALUES[name]:
                if value is not None:
                    yield {**must, name: self.jobs[0] if value == "JOB" and self.jobs else value}

    def all(self, writes):
        self.jobs = [j["id"] for j in json.loads(self.ask("POST", "/api/v1/job_list", {})).get("jobs", [])]
        self.tools(writes)
        for job in self.jobs:
            self.ask("POST", "/api/v1/job_show", {"id": job})
        for repo in ("git.example/acme/web", "git.example/acme/broken"):
            for leaf in ("context", "schema", "routes"):
                uri = f"atoll://repo/{urllib.parse.quote(repo, safe='')}/{leaf}"
                self.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}})
        for leaf in ("status", "contracts", "graph"):
            self.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": f"atoll://group/all/{leaf}"}})
        for path in ("/metrics", "/readyz", "/healthz", "/nothing", "/api/v1/graph?group=all"):
            self.ask("GET", path)


bad = False
for name, token in (x.split("=") for x in sys.argv[3:]):
    caller = Caller(token)
    caller.all(writes=name != "admin")
    print(f"{name}: {caller.asked} questions, {len(caller.told)} answers with a path")
    if name == "admin" and not caller.told:
        sys.exit("the admin is not told either: this shows nothing")
    if name != "admin" and caller.told:
        print("\n".join(caller.told[:12]))
        bad = True
sys.exit(bad)
