#!/usr/bin/env python3
"""cyclonedx.py: check that a CycloneDX 1.6 JSON document on standard input is well-formed; print each fault, fail if there is one.

Not the official schema, which is not in this tree: the parts of the specification that `atoll sbom` writes, from its text. Keys that
the specification does not have, missing ones, words outside its lists, references that lead nowhere or are not unique, and package
URLs that do not follow the rules of their type."""
import json
import re
import sys
import urllib.parse

TEXT, NUMBER, LIST, MAP = str, int, list, dict
UUID = re.compile(r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
WORDS = {
    "type of component": {"application", "framework", "library", "container", "platform", "operating-system", "device", "device-driver",
                          "firmware", "file", "machine-learning-model", "data", "cryptographic-asset"},
    "scope": {"required", "optional", "excluded"},
    "phase": {"design", "pre-build", "build", "post-build", "operations", "discovery", "decommission"},
    "aggregate": {"complete", "incomplete", "incomplete_first_party_only", "incomplete_third_party_only", "unknown", "not_specified"},
}
# Of each object: its keys with the types of their values, and those that it must have.
OBJECTS = {
    "bom": ({"$schema": TEXT, "bomFormat": TEXT, "specVersion": TEXT, "serialNumber": TEXT, "version": NUMBER, "metadata": MAP,
             "components": LIST, "dependencies": LIST, "compositions": LIST, "properties": LIST, "externalReferences": LIST},
            {"bomFormat", "specVersion"}),
    "metadata": ({"timestamp": TEXT, "lifecycles": LIST, "tools": MAP, "component": MAP, "properties": LIST}, set()),
    "lifecycle": ({"phase": TEXT}, {"phase"}),
    "tools": ({"components": LIST, "services": LIST}, set()),
    "component": ({"type": TEXT, "bom-ref": TEXT, "group": TEXT, "name": TEXT, "version": TEXT, "description": TEXT, "scope": TEXT,
                   "purl": TEXT, "externalReferences": LIST, "evidence": MAP, "properties": LIST, "components": LIST}, {"type", "name"}),
    "evidence": ({"occurrences": LIST}, set()),
    "occurrence": ({"bom-ref": TEXT, "location": TEXT, "line": NUMBER, "offset": NUMBER, "symbol": TEXT, "additionalContext": TEXT},
                   {"location"}),
    "reference": ({"type": TEXT, "url": TEXT, "comment": TEXT}, {"type", "url"}),
    "property": ({"name": TEXT, "value": TEXT}, {"name"}),
    "dependency": ({"ref": TEXT, "dependsOn": LIST, "provides": LIST}, {"ref"}),
    "composition": ({"bom-ref": TEXT, "aggregate": TEXT, "assemblies": LIST, "dependencies": LIST}, {"aggregate"}),
}
# Of each type of package URL: whether it has a namespace (None: either), and the form of the names.
PURLS = {
    "npm": (None, re.compile(r"[^/]+")),
    "pypi": (False, re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")),
    "golang": (None, re.compile(r"[^A-Z]+")),
    "maven": (True, re.compile(r"[^/]+")),
    "cargo": (False, re.compile(r"[A-Za-z0-9_-]+")),
    "nuget": (False, re.compile(r"[A-Za-z0-9_.-]+")),
    "gem": (False, re.compile(r"[A-Za-z0-9_.-]+")),
    "composer": (True, re.compile(r"[^A-Z/]+")),
}
faults = []


def fault(where, what):
    faults.append(f"{where}: {what}")


def check_object(kind, value, where):
    keys, needed = OBJECTS[kind]
    if not isinstance(value, dict):
        fault(where, f"is no object: {value!r}")
        return {}
    for key, v in value.items():
        if key not in keys:
            fault(where, f"{kind} has no `{key}`")
        elif not isinstance(v, keys[key]) or isinstance(v, bool):
            fault(where, f"`{key}` is {v!r}")
        elif v == "":
            fault(where, f"`{key}` is empty")
    for key in needed - value.keys():
        fault(where, f"lacks `{key}`")
    return value


def check_word(kind, value, where):
    if value is not None and value not in WORDS[kind]:
        fault(where, f"`{value}` is no {kind}")


def each(kind, values, where):
    for i, v in enumerate(values or []):
        yield f"{where}[{i}]", check_object(kind, v, f"{where}[{i}]")


def check_purl(purl, component, where):
    found = re.fullmatch(r"pkg:([a-z]+)/([^@?#]+)(?:@([^@?#]+))?", purl)
    if not found:
        return fault(where, f"{purl} is no package URL")
    kind, path, version = found.groups()
    if kind not in PURLS:
        return fault(where, f"{purl}: type {kind}")
    for part in (path, version or ""):
        again = urllib.parse.quote(urllib.parse.unquote(part), safe="/.-_~:" if part is path else ".-_~:")
        if again != part:
            fault(where, f"{purl}: `{part}` should be `{again}`")
    parts = [urllib.parse.unquote(x) for x in path.split("/")]
    namespace, form = PURLS[kind]
    if not all(parts) or (namespace is not None and namespace != (len(parts) > 1)):
        fault(where, f"{purl}: its namespace")
    if kind == "npm" and len(parts) > 1 and not (len(parts) == 2 and parts[0].startswith("@")):
        fault(where, f"{purl}: its scope")
    for name in parts:
        if not form.fullmatch(name):
            fault(where, f"{purl}: the form of `{name}`")
    if version and urllib.parse.unquote(version) != component.get("version"):
        fault(where, f"{purl}: the version is {component.get('version')}")


def check_component(c, where, refs):
    check_word("type of component", c.get("type"), where)
    check_word("scope", c.get("scope"), where)
    ref = c.get("bom-ref")
    if ref in refs:
        fault(where, f"bom-ref {ref} is not unique")
    if ref:
        refs.add(ref)
    if "purl" in c:
        check_purl(c["purl"], c, where)
    for at, r in each("reference", c.get("externalReferences"), where + ".externalReferences"):
        if not urllib.parse.urlparse(r.get("url", "")).scheme:
            fault(at, f"{r.get('url')} is no URL")
    check_properties(c, where)
    evidence = check_object("evidence", c.get("evidence", {}), where + ".evidence")
    for at, o in each("occurrence", evidence.get("occurrences"), where + ".evidence.occurrences"):
        if o.get("line", 0) < 0:
            fault(at, "line")
    for at, inner in each("component", c.get("components"), where + ".components"):
        check_component(inner, at, refs)


def check_properties(of, where):
    for _ in each("property", of.get("properties"), where + ".properties"):
        pass


def check_metadata(bom, refs):
    m = check_object("metadata", bom.get("metadata", {}), "metadata")
    if not TIME.fullmatch(m.get("timestamp", "")):
        fault("metadata", f"timestamp {m.get('timestamp')}")
    for at, x in each("lifecycle", m.get("lifecycles"), "metadata.lifecycles"):
        check_word("phase", x.get("phase"), at)
    tools = check_object("tools", m.get("tools", {}), "metadata.tools")
    for at, c in each("component", tools.get("components"), "metadata.tools.components"):
        check_component(c, at, set())
    check_properties(m, "metadata")
    if "component" not in m:
        return fault("metadata", "lacks its component")
    check_component(check_object("component", m["component"], "metadata.component"), "metadata.component", refs)


def check_references(bom, refs):
    seen = set()
    for at, d in each("dependency", bom.get("dependencies"), "dependencies"):
        if d.get("ref") in seen:
            fault(at, f"{d.get('ref')} has several rows")
        seen.add(d.get("ref"))
        on = d.get("dependsOn", [])
        if len(set(on)) != len(on):
            fault(at, "dependsOn names one twice")
        for ref in [d.get("ref"), *on]:
            if ref not in refs:
                fault(at, f"{ref} is no component")
    for at, c in each("composition", bom.get("compositions"), "compositions"):
        check_word("aggregate", c.get("aggregate"), at)
        for ref in c.get("assemblies", []) + c.get("dependencies", []):
            if ref not in refs:
                fault(at, f"{ref} is no component")


def main():
    bom = check_object("bom", json.load(sys.stdin), "document")
    refs = set()
    if (bom.get("bomFormat"), bom.get("specVersion")) != ("CycloneDX", "1.6"):
        fault("document", "is no CycloneDX 1.6")
    if not UUID.fullmatch(bom.get("serialNumber", "")):
        fault("document", f"serialNumber {bom.get('serialNumber')}")
    if bom.get("version", 1) < 1:
        fault("document", "version")
    check_metadata(bom, refs)
    for at, c in each("component", bom.get("components"), "components"):
        check_component(c, at, refs)
    check_references(bom, refs)
    for f in faults:
        print(f)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
