#!/usr/bin/env python3
"""two_coordinators.py ONE TWO GROUP: sequences that start at one of two coordinators with --conformance and continue at the other.

Pages of lists by cursor, alternately; a request with input rounds (2026-07-28) and its state; a session of the handshake revisions.
"""
import http.client, json, sys
from urllib.parse import urlsplit

urls, group = [urlsplit(u) for u in sys.argv[1:3]], sys.argv[3]
MODERN, META = "2026-07-28", "io.modelcontextprotocol/"
CAN = {"elicitation": {}, "sampling": {}, "roots": {}}


def post(at, path, body, headers={}):
    c = http.client.HTTPConnection(urls[at].hostname, urls[at].port, timeout=60)
    c.request("POST", path, json.dumps(body),
              {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **headers})
    r = c.getresponse()
    text = r.read()
    c.close()
    return r.status, r.headers, json.loads(text) if text[:1] == b"{" else text


def tool(at, name, arguments):
    status, _, body = post(at, f"/api/v1/{name}", arguments)
    assert status == 200, (at, name, arguments, body)
    return body


def call(at, name, **more):
    """The answer to a tools/call of the modern era."""
    meta = {META + "protocolVersion": MODERN, META + "clientCapabilities": CAN, META + "clientInfo": {"name": "two", "version": "1"}}
    _, _, m = post(at, "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                "params": {"name": name, "arguments": {}, "_meta": meta, **more}},
                   {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": name})
    return m


def rows(page):
    """Of all its lists, without what each coordinator has seen for itself."""
    lists = [page.get(k, []) for k in ("results", "contracts", "unresolved", "producers_without_consumers", "repos")]
    return [{k: v for k, v in row.items() if k not in ("since", "behind")} for rows in lists for row in rows]


def pages(name, arguments, begin):
    """All rows in pages of one, each page from the other coordinator than the one before."""
    got, at, more = [], begin, {}
    while True:
        page = tool(at, name, {**arguments, "limit": 1, **more})
        got += rows(page)
        if "next_cursor" not in page:
            return got
        assert len(rows(page)) == 1 and len(got) < 100, page
        at, more = 1 - at, {"cursor": page["next_cursor"]}


def lists_go_on():
    for name, arguments in (("group_query", {"group": group, "query": "load users"}), ("group_contracts", {"group": group}),
                            ("list_repos", {})):
        whole = rows(tool(0, name, {**arguments, "limit": 50}))
        assert len(whole) > 1, (name, whole)
        for begin in 0, 1:
            got = pages(name, arguments, begin)
            assert got == whole, (name, begin, got, whole)
        print(f"{name}: {len(whole)} pages")


def rounds_go_on():
    name = "test_input_required_result_multi_round"
    for begin in 0, 1:
        at, m, rounds = begin, call(begin, name), 0
        while m.get("result", {}).get("resultType") == "input_required":
            r = m["result"]
            answers = {k: {"action": "accept", "content": {"name": "n", "step1": "x", "step2": "y", "color": "c"}}
                       for k in r["inputRequests"]}
            bent = r["requestState"][:-1] + ("0" if r["requestState"][-1] != "0" else "1")
            assert call(1 - at, name, inputResponses=answers, requestState=bent)["error"]["code"] == -32602
            at, rounds = 1 - at, rounds + 1
            m = call(at, name, inputResponses=answers, requestState=r["requestState"])
        assert rounds >= 2 and not m["result"].get("isError"), (rounds, m)
    print(f"{rounds} rounds")


def sessions_do_not():
    """404: the client begins anew."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "two", "version": "1"}}}
    status, head, _ = post(0, "/mcp", hello)
    assert status == 200
    session = {"Mcp-Session-Id": head["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-11-25"}
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    assert [post(at, "/mcp", ping, session)[0] for at in (0, 1)] == [200, 404]
    assert post(1, "/mcp", hello)[0] == 200


lists_go_on()
rounds_go_on()
sessions_do_not()
