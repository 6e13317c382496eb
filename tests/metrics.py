"""metrics.py FILE: compares the output of a real /metrics with deploy/grafana and deploy/prometheus.

Prints each problem: a metric or label value in the dashboard or a rule that does not exist; a family without HELP or TYPE, or
named against Prometheus' conventions.  Families without a row at the moment count by their TYPE."""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
wrong = []
# Values that labels have at times; that they can, the code says.
SOMETIMES = {"outcome", "tool", "why", "state", "what", "instance", "job", "repo", "replica", "host", "le", "group", "confidence", "reason"}
UNITS = ("_seconds", "_bytes", "_total", "_info", "_length", "_commits", "_generation", "_health", "_phi", "_open", "_conflict", "_fds",
         "_ready", "_revision", "_coordinators", "_leads", "_members", "_indexes", "_links", "_calls", "_jobs", "_limited", "_requests", "_paths")
COMMENT = re.compile(r"# (HELP|TYPE) (\S+) (.+)\n")
SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)\n')
RULE = re.compile(r"- alert: (\w+)\n +expr: (.+)\n(?: +for: \w+\n)? +labels: \{severity: (?:warning|critical)\}\n"
                  r" +annotations: \{summary: \"(.+)\"\}\n")


def want(good, text):
    if not good:
        wrong.append(text)


class Metrics:
    """What is said: each metric's type, and its labels with their values."""

    def __init__(self, path):
        self.types, self.helps, self.labels = {}, set(), {}
        with open(path) as f:
            for line in f:
                self.read(line)
        for name, kind in self.types.items():
            want(name in self.helps, f"{name} has no HELP")
            want((kind == "counter") == name.endswith("_total"), f"{name} is a {kind}")
            want(name.endswith(UNITS), f"{name}: of which unit?")

    def read(self, line):
        comment, sample = COMMENT.fullmatch(line), SAMPLE.fullmatch(line)
        want(comment or sample, f"no line of the format: {line!r}")
        if comment and comment[1] == "TYPE":
            want(comment[2] not in self.types, f"{comment[2]} has two TYPEs")
            self.types[comment[2]] = comment[3]
        elif comment:
            self.helps.add(comment[2])
        elif sample:
            self.read_sample(*sample.groups())

    def read_sample(self, full, labels, value):
        float(value)
        name = self.family(full)
        want(name in self.types, f"{full} before its TYPE")
        its = self.labels.setdefault(name, {})
        for k, v in re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', labels or ""):
            its.setdefault(k, set()).add(v)

    def family(self, full):
        """What has the TYPE: a histogram is said in parts."""
        return full if full in self.types else re.sub(r"_(bucket|sum|count)$", "", full)


# ---- expressions, and who has them ----

def of_dashboard():
    with open(f"{ROOT}/deploy/grafana/atoll.json") as f:
        dashboard = json.load(f)
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield target["expr"], panel["title"]
    for v in dashboard["templating"]["list"]:
        query = v["query"]["query"] if isinstance(v["query"], dict) else ""
        yield re.sub(r"^label_values\((.*), \w+\)$", r"\1", query), "variable " + v["name"]


def alerts_by_yaml(text):
    """The names of all rules; None: there is no yaml here."""
    try:
        import yaml
    except ImportError:
        return None
    return [rule["alert"] for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]


def of_rules(metrics):
    """The labels that a summary names must be those of the metrics in its expression."""
    with open(f"{ROOT}/deploy/prometheus/alerts.yaml") as f:
        text = f.read()
    rules, names = RULE.findall(text), alerts_by_yaml(text)
    want(names is None or names == [alert for alert, _, _ in rules], "rules are written in another way than this program reads")
    for alert, expr, summary in rules:
        used = set(re.findall(r"\$labels\.(\w+)", summary))
        known = {k for n in re.findall(r"\b(?:atoll|process)_[a-z_]+", expr) for k in metrics.labels.get(n, {})} | {"instance", "job"}
        want(used <= known, f"{alert}: its summary names {used - known}")
        yield expr, alert


# ---- what they name ----

def check_selector(metrics, name, selector, what):
    """Its labels and their values are said."""
    for k, _, v in re.findall(r'(\w+)(=~|!=|!~|=)"([^"]*)"', selector or ""):
        said = metrics.labels.get(name, {})
        want(k in said or k in ("instance", "job"), f"{what} has no label {k}")
        if k not in SOMETIMES:
            want(set(v.split("|")) <= said.get(k, set()), f"{what}: {k} is never {v}")


def check(metrics, expr, where):
    """How many metrics it names."""
    named = re.findall(r"\b((?:atoll|process)_[a-z_]+)(?:\{([^}]*)\})?", expr)
    for full, selector in named:
        name = metrics.family(full)
        if name not in metrics.types:
            wrong.append(f"{where}: no metric {full}")
            continue
        want(name == full or metrics.types[name] == "histogram", f"{where}: {full} is a part of a {metrics.types[name]}")
        check_selector(metrics, name, selector, f"{where}: {full}")
    return len(named)


def main():
    metrics = Metrics(sys.argv[1])
    expressions = {}
    for expr, where in [*of_dashboard(), *of_rules(metrics)]:
        expressions.setdefault(expr, where)
    named = sum(check(metrics, expr, where) for expr, where in expressions.items())
    want(named > 40, f"only {named} metrics in all panels and rules")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
