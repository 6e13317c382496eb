"""metrics.py FILE: what a real /metrics says, and deploy/grafana and deploy/prometheus, which are made of it.

Prints what is wrong: a metric or a label's value that the dashboard or a rule names and nobody says; a family without HELP or TYPE,
or named against Prometheus' conventions.  Families without a row at the moment count by their TYPE."""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
wrong = []
# Values that labels have at times; that they can, the code says.
SOMETIMES = {"outcome", "tool", "why", "state", "what", "instance", "job", "repo", "replica", "host", "le"}
UNITS = ("_seconds", "_bytes", "_total", "_info", "_length", "_commits", "_generation", "_health", "_phi", "_open", "_conflict", "_fds",
         "_ready", "_revision", "_coordinators", "_leads", "_members", "_indexes", "_jobs", "_limited", "_requests")


def want(good, text):
    if not good:
        wrong.append(text)


types, helps, labels = {}, set(), {}
for line in open(sys.argv[1]):
    comment = re.fullmatch(r"# (HELP|TYPE) (\S+) (.+)\n", line)
    sample = re.fullmatch(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)\n', line)
    want(comment or sample, f"no line of the format: {line!r}")
    if comment and comment[1] == "TYPE":
        want(comment[2] not in types, f"{comment[2]} has two TYPEs")
        types[comment[2]] = comment[3]
    elif comment:
        helps.add(comment[2])
    elif sample:
        float(sample[3])
        family = re.sub(r"_(bucket|sum|count)$", "", sample[1])
        name = sample[1] if sample[1] in types else family
        want(name in types, f"{sample[1]} before its TYPE")
        for k, v in re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', sample[2] or ""):
            labels.setdefault(name, {}).setdefault(k, set()).add(v)
        labels.setdefault(name, {})
for name, kind in types.items():
    want(name in helps, f"{name} has no HELP")
    want((kind == "counter") == name.endswith("_total"), f"{name} is a {kind}")
    want(name.endswith(UNITS), f"{name}: of which unit?")

expressions = {}
dashboard = json.load(open(f"{ROOT}/deploy/grafana/atoll.json"))
for panel in dashboard["panels"]:
    for t in panel["targets"]:
        expressions.setdefault(t["expr"], panel["title"])
for v in dashboard["templating"]["list"]:
    query = v["query"]["query"] if isinstance(v["query"], dict) else ""
    expressions.setdefault(re.sub(r"^label_values\((.*), \w+\)$", r"\1", query), "variable " + v["name"])
text = open(f"{ROOT}/deploy/prometheus/alerts.yaml").read()
try:
    import yaml
    names = [r["alert"] for g in yaml.safe_load(text)["groups"] for r in g["rules"]]
except ImportError:    # lines alone, then
    names = None
rules = re.findall(r"- alert: (\w+)\n +expr: (.+)\n(?: +for: \w+\n)? +labels: \{severity: (?:warning|critical)\}\n +annotations: \{summary: \"(.+)\"\}\n", text)
want(names is None or names == [r[0] for r in rules], "rules are written in another way than this program reads")
for alert, expr, summary in rules:
    expressions.setdefault(expr, alert)
    used = set(re.findall(r"\$labels\.(\w+)", summary))
    known = {k for n in re.findall(r"\b(?:atoll|process)_[a-z_]+", expr) for k in labels.get(n, {})} | {"instance", "job"}
    want(used <= known, f"{alert}: its summary names {used - known}")

named = 0
for expr, where in expressions.items():
    for full, selector in re.findall(r"\b((?:atoll|process)_[a-z_]+)(?:\{([^}]*)\})?", expr):
        named += 1
        name = full if full in types else re.sub(r"_(bucket|sum|count)$", "", full)
        if name not in types:
            wrong.append(f"{where}: no metric {full}")
            continue
        want(name == full or types[name] == "histogram", f"{where}: {full} is a part of a {types[name]}")
        for k, op, v in re.findall(r'(\w+)(=~|!=|!~|=)"([^"]*)"', selector or ""):
            want(k in labels.get(name, {}) or k in ("instance", "job"), f"{where}: {full} has no label {k}")
            if k not in SOMETIMES:
                want(set(v.split("|")) <= labels.get(name, {}).get(k, set()), f"{where}: {full}: {k} is never {v}")
want(named > 40, f"only {named} metrics in all panels and rules")
print("\n".join(wrong))
sys.exit(bool(wrong))
