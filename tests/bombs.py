"""Hostile repositories, each with a benign file, and what it costs to index one.

bombs.py list                          prints the names of the bombs
bombs.py measure SHARD FOLDER NAME...  makes each bomb's repository below FOLDER, indexes it with the program SHARD, and prints a line
                                       of JSON for it: its cost (rss_kb, seconds), and what status counts as left out or truncated
"""
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import time
import zlib

BENIGN = b"int benign_of_bombs(int n)\n{\n\treturn n + 1;\n}\n"
BOMBS = {}
SECONDS = float(os.environ.get("BOMB_SECONDS", "60"))	# after which an ingest is ended


def bomb(limit=None):
    """A function that gives the files of a bomb (path: bytes); `limit`: what names it when it is cut short."""
    def keep(f):
        BOMBS[f.__name__] = (f, limit)
        return f
    return keep


# ---- YAML: aliases, depth, width

def laughs(levels=9, wide=9, leaf='"x"'):
    """A value that stands for wide ** levels others; what uses it says *bomb."""
    lines = [f"a0: &a0 [{','.join([leaf] * wide)}]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * wide)}]" for i in range(1, levels)]
    return "\n".join(lines) + "\n", f"*a{levels - 1}"


def maps(levels=9, wide=9, leaf='"x"'):
    lines = ["a0: &a0 {" + ",".join(f"k{i}: {leaf}" for i in range(wide)) + "}"]
    lines += [f"a{n}: &a{n} {{" + ",".join(f"k{i}: *a{n - 1}" for i in range(wide)) + "}" for n in range(1, levels)]
    return "\n".join(lines) + "\n", f"*a{levels - 1}"


@bomb()
def none():
    return {}


@bomb("atoll.yaml")
def alias_atoll():
    return {"atoll.yaml": "services:\n  - &a0 [x,x,x,x,x,x,x,x,x]\n" +
            "".join(f"  - &a{i} [" + ",".join([f"*a{i - 1}"] * 9) + "]\n" for i in range(1, 9))}


@bomb()
def alias_compose():
    head, use = laughs()
    return {"compose.yaml": head + "services:\n  web:\n    build: .\n    environment: " + use + "\nserver: " + use + "\n"}


@bomb("linguist-vendored")
def left_out():
    """Only the names of such files are read: many of them, a scanner that reads the same comments again and again, and deep nesting."""
    size = (2 << 20) - 10
    return {".gitattributes": "lib/** linguist-vendored\n",
            "lib/names.js": "".join(f"var a{i};\n" for i in range(180000))[:size],
            "lib/comments.py": ("def f():\n    return 1\n" + "# comment\n" * 210000)[:size],
            "lib/nested.js": ("function f(){\n" * 150000)[:size]}


@bomb("settings")
def alias_config():
    return {"config.yaml": maps()[0]}


@bomb("settings")
def alias_application():
    return {"application.yml": laughs()[0] + "spring: {}\n"}


@bomb("settings")
def alias_values():
    return {"chart/values.yaml": maps()[0], "chart/Chart.yaml": "name: x\n"}


@bomb("yaml")
def alias_kubernetes():
    head, use = maps()
    return {"deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\n" + head + "metadata: {name: x}\nspec: " + use + "\n"}


@bomb("yaml")
def alias_ingress():
    head, use = laughs()
    return {"ingress.yaml": "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: x}\n" + head +
            "spec: {rules: " + use + "}\n"}


@bomb("yaml")
def alias_products():
    """No levels: a list of many that all are the same large map."""
    keys = "".join(f"  k{i}: v\n" for i in range(30000))
    return {"products.yaml": "apiVersion: v1\nkind: Deployment\nx: &x\n" + keys + "spec:\n  env:\n" + "  - *x\n" * 60000}


@bomb("yaml")
def alias_openapi():
    operations = ", ".join(f"get: {{operationId: a{i}}}" for i in range(2000))
    return {"openapi.yaml": "openapi: 3.0.0\nx: &x {" + operations + "}\npaths:\n" +
            "".join(f"  /p{i}: *x\n" for i in range(20000))}


@bomb("yaml")
def ref_openapi():
    operations = ", ".join(f"get: {{operationId: a{i}}}" for i in range(5000))
    return {"openapi.yaml": "openapi: 3.0.0\ncomponents: {pathItems: {x: {" + operations + "}}}\npaths:\n" +
            "".join(f"  /p{i}: {{$ref: '#/components/pathItems/x'}}\n" for i in range(10000))}


@bomb()
def cycle_openapi():
    return {"openapi.yaml": "openapi: 3.0.0\npaths:\n  /a: &a\n    $ref: '#/paths/~1a'\n    get: {operationId: x, y: *a}\n  /b: *a\n" +
            "components: {pathItems: {x: {$ref: '#/components/pathItems/x'}}}\n"}


@bomb("yaml")
def base_openapi():
    """Each path gets the long path of the server."""
    return {"openapi.yaml": "openapi: 3.0.0\nservers: [{url: 'http://x/" + "b" * 300000 + "'}]\npaths:\n" +
            "".join(f"  /p{i}: {{get: {{}}}}\n" for i in range(20000))}


@bomb()
def alias_serverless():
    lists = "\n".join(f"  - &l{i} [" + ",".join([f"*l{i - 1}"] * 9) + "]" for i in range(1, 9))
    return {"serverless.yml": "service: x\nprovider: {name: aws}\nhandler: 1\nevents: 1\nx:\n  - &l0 {f: {handler: a.b, events: [{http: GET a}]}}\n" +
            lists + "\nfunctions: *l8\n"}


@bomb("yaml")
def alias_collection():
    lists = ",\n".join(f'"i{i}": &l{i} [' + ",".join([f'{{"item": *l{i - 1}}}'] * 9) + "]" for i in range(1, 9))
    return {"collection.json": '{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},\n' +
            '"i0": &l0 [{"request": {"method": "GET", "url": "http://x/a"}}],\n' + lists + ',\n"item": *l8}\n'}


@bomb("yaml")
def alias_tsconfig():
    lists = ", ".join(f'"b{i}": &b{i} [' + ",".join([f"*b{i - 1}"] * 9) + "]" for i in range(1, 9))
    return {"tsconfig.json": '{"b0": &b0 ["x"], ' + lists + ', "compilerOptions": {"baseUrl": ".", "paths": {"x": *b8}}}\n'}


@bomb()
def deep_yaml():
    return {"config.yaml": "a: " + "[" * 200 + "]" * 200 + "\n", "openapi.yaml": "openapi: 3.0.0\npaths: " + "{a: " * 240 + "1" + "}" * 240,
            "values.yaml": "".join("  " * (i % 600) + f"k{i}:\n" for i in range(600)),
            "application.yaml": "".join(" " * i + "- \n" for i in range(1300))}


@bomb()
def wide_yaml():
    return {"config.yaml": "".join(f"k{i}: {i}\n" for i in range(70000)), "values.yaml": "a: [" + "1," * 400000 + "1]\n",
            "application.yml": "a: '" + "x" * 900000 + "'\n", "openapi.yaml": "openapi: 3.0.0\npaths:\n" +
            "".join(f"  /p{i}: {{get: {{operationId: o{i}}}}}\n" for i in range(20000))}


@bomb()
def padded_keys():
    """Many symbols on one line behind many blanks."""
    return {"openapi.json": " " * 500000 + '{"openapi":"3.0.0","paths":{' + ",".join(f'"/{i}":{{"get":{{}}}}' for i in range(2500)) + "}}"}


@bomb()
def unclosed():
    return {"atoll.yaml": "services: [" + "{name: x," * 50, "package.json": '{"name": "' + "x" * 500000, "pom.xml": "<project>" + "<a>" * 300000,
            "Cargo.toml": '[package]\nname = """' + "x\n" * 400000, "a.graphql": "query {" + "a {" * 300000, "a.proto": "message A {" * 90000,
            "main.tf": "resource {" * 90000, "nginx.conf": "server {" * 100000, "a.md": "```js\n" * 100000, "a.html": "<div>" * 200000,
            "setup.py": "setup(" * 170000, "build.gradle": "a {" * 300000, "Gemfile": "group :a do\n" * 80000, "a.http": "###\nGET {{" * 90000}


@bomb()
def unclosed_holes():
    """Placeholders of templates in one attribute, each of which could end behind all the others."""
    return {"a.html": '<a href="' + "{{" * 400000 + '">x</a>\n'}


@bomb()
def unclosed_quotes():
    """A line of C in which every quote could close any other, and none does."""
    return {"a.c": "'\\" * 500000 + "\nint f(void);\n"}


@bomb()
def unended_annotations():
    """Annotations of Kotlin whose arguments never end."""
    return {"a.kt": "@A(\n" * 250000}


@bomb()
def deep_crate():
    """A root of a crate in many folders of the same name, and a name that is looked up from it."""
    return {"a/" + "src/" * 190 + "lib.rs": "use crate::x;\nfn f() { x::y(); }\n"}


@bomb()
def signs_of_urls():
    """Lines of URLs without hosts, and of repositories in scp's form without paths."""
    return {"README.md": "://<" * 220000 + "\n", "other/README.md": "://<" * 220000 + "git@github.com:o/r\n",
            "a.md": "git@<" * 180000 + "\n", "b.md": "git@" * 220000 + "\n"}


# ---- depth: what is kept of each definition must not grow with the definitions around it

def nested(head, tail="}", n=20000):
    """Definitions in each other; head has a %d for the number of the definition."""
    return "".join(head % i for i in range(n)) + tail * n


@bomb("nesting")
def nested_code():
    return {"a.java": nested("class f%d{"), "b.js": nested("function f%d(){"), "c.rb": nested("module F%d\n", "end\n")}


@bomb()
def nested_tags():
    """The same for languages that ctags reads, which writes all names around each name."""
    return {"a.ml": nested("module F%d = struct\n", "end\n", 5000), "b.lua": nested("function f%d()\n", "\n", 20000) + "\n" * 400000}


@bomb("yaml")
def many_operations():
    """Each handler of an operation is looked for among all symbols of the document."""
    return {"openapi.yaml": "openapi: 3.0.0\npaths:\n" + "".join(f"  /p{i}: {{get: {{operationId: o{i}}}}}\n" for i in range(25000))}


# ---- manifests

@bomb("manifest: more than 48 levels")
def deep_package():
    return {"package.json": '{"name": "deep", "dependencies": ' + '{"a": ' * 60 + "1" + "}" * 60 + "}",
            "other/package.json": '{"x": ' * 200 + "1" + "}" * 200}


@bomb("manifest")
def wide_toml():
    return {"Cargo.toml": '[package]\nname = "x"\n[dependencies]\n' + "".join(f"k{i}=1\n" for i in range(110000)),
            "pyproject.toml": "".join(f"[k{i}]\n" for i in range(110000))}


@bomb("manifest")
def deep_toml():
    return {"Cargo.toml": "a = " + "[" * 400000, "pyproject.toml": "a." * 400000 + "a = 1\n"}


@bomb("manifest")
def deep_xml():
    entities = "<!ENTITY a0 'x'>" + "".join(f"<!ENTITY a{i} '" + f"&a{i - 1};" * 10 + "'>" for i in range(1, 10))
    return {"pom.xml": "<?xml version='1.0'?><!DOCTYPE project [" + entities + "]><project><artifactId>&a9;</artifactId></project>",
            "deep/pom.xml": "<a>" * 140000 + "</a>" * 140000, "wide/pom.xml": "<project><dependencies>" + "<d/>" * 240000 + "</dependencies></project>"}


@bomb("manifest")
def words_of_code():
    """Each word is looked for among all that the file gives."""
    return {"build.gradle": "".join(f"k{i}=w{i}\n" for i in range(60000)), "Gemfile": "group :test do\n" +
            "".join(f"gem 'g{i}'\n" for i in range(70000)) + "end\n", "setup.py": "l = [" + "'x'," * 30000 + "]\n" + "a(b=l)\n" * 60000}


@bomb()
def long_lines():
    line = "x" * 1000000
    return {f"long.{end}": line for end in ("py", "js", "go", "java", "c", "md", "ts", "rb", "rs", "tf", "proto", "graphql", "sh", "css", "html")}


@bomb()
def minified():
    return {"a.min.js": "function a(b){return b+1};" * 38000, "bundle.js": "!function(e){" + "var a=e(1),b=a.c(2);" * 45000 + "}();",
            "strings.js": "const s = [" + "'/api/users/1'," * 60000 + "];", "one.ts": "x=" + "a+" * 400000 + "a;"}


@bomb()
def many_lines():
    return {"a.c": "int x;\n" * 140000, "b.py": "\n" * 1000000, "c.md": "# h\n" * 200000, "d.py": "a=1\n" * 200000, "e.env": "A=b\n" * 200000}


@bomb()
def hostile_text():
    return {"a.js": "fetch('" + "/a" * 30000 + "'); " + "axios.get(`" + "${a}" * 40000 + "`);\n" + "app.get('" + "(a+)+" * 20000 + "', f);\n",
            "b.py": "requests.get('" + "a" * 60000 + "!')\n" * 5 + "@app.route('" + "<a>/" * 40000 + "')\ndef f(): pass\n",
            "c.go": 'package a\nfunc f() { http.Get("' + "aaaaaaaaaaaaaaaa!" * 20000 + '") }\n',
            "d.md": "[" * 40000 + "](" * 40000 + "*_" * 60000, "e.java": "@RequestMapping(\"" + "/{a:(a|a)*}" * 20000 + "\")\nclass A {}\n"}


@bomb()
def expanded_urls():
    """Constants that each stand twice in the next one."""
    js = "const a0 = 'http://x/' + 'aaaaaaaa';\n" + "".join(f"const a{i} = a{i - 1} + a{i - 1};\n" for i in range(1, 60)) + "fetch(a59);\n"
    py = "import requests\na0 = '/aaaa'\n" + "".join(f"a{i} = f'{{a{i - 1}}}{{a{i - 1}}}'\n" for i in range(1, 60)) + "requests.get('http://x' + a59)\n"
    env = "A0=aaaaaaaa\n" + "".join(f"A{i}=${{A{i - 1}}}${{A{i - 1}}}\n" for i in range(1, 60))
    return {"a.js": js, "b.py": py, "x.env": env, "c.js": "fetch(`${process.env.A59}/x`);\n",
            "application.properties": "a0=aaaaaaaa\n" + "".join(f"a{i}=${{a{i - 1}}}${{a{i - 1}}}\n" for i in range(1, 60)),
            "A.java": '@FeignClient(url = "${a59}")\ninterface A { @GetMapping("/x") String x(); }\n'}


@bomb()
def nginx_sets():
    sets = "set $a0 xxxxxxxx;\n" + "".join(f"set $a{i} $a{i - 1}$a{i - 1};\n" for i in range(1, 60))
    return {"nginx.conf": "http { server { " + sets + " location / { proxy_pass http://$a59; } } }\n"}


@bomb("gateway")
def shared_sets():
    """A URL of a variable many times over."""
    return {"nginx.conf": "server { set $a " + "x" * 300000 + "; location / { proxy_pass http://" + "$a" * 100000 + "; } }\n"}


@bomb()
def wide_nginx():
    return {"nginx.conf": "server {\n" + "".join(f"location /{i} {{ proxy_pass http://u{i}; }}\n" for i in range(25000)) + "}\n",
            "b/nginx.conf": "server { server_name " + "a.b " * 200000 + "; location / { proxy_pass http://x; } }"}


@bomb()
def hcl():
    return {"main.tf": "a {\n" * 200000, "b.tf": "".join(f"k{i} = \"v\"\n" for i in range(70000)),
            "c.tf": 'resource "' + "a" * 500000 + '" "b" {\n' + "a=1\n" * 100000 + "}\n", "d.tf": "x = <<E\n" * 100000}


@bomb()
def graphql():
    return {"a.graphql": "type Query {" + "".join(f"f{i}: Int\n" for i in range(60000)) + "}", "b.graphql": "query " + "{a" * 300000,
            "c.graphql": "schema {" + "query: Q " * 50000 + "}\n" + "type Q {" + "a: Int " * 50000 + "}", "d.graphql": "fragment a on Query {...a ...b}\n" * 25000}


@bomb()
def proto():
    return {"a.proto": 'syntax = "proto3";\npackage ' + "a." * 100000 + 'b;\nservice S {\n' + "".join(
        f'rpc M{i}(A) returns (B) {{ option (google.api.http) = {{ get: "/v1/{i}" }}; }}\n' for i in range(8000)) + "}\n",
            "b.proto": "message A {" * 90000, "c.proto": "option (google.api.http) = " + "{a: " * 200000}


@bomb("rules")
def ignore_rules():
    rules = "".join("*a" * 12 + f"*{i}b\n" for i in range(4000))
    files = {f"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{i}.c": "int x;\n" for i in range(1000)}
    return {".atollignore": rules, ".gitattributes": rules.replace("b\n", "b linguist-vendored linguist-generated\n"), **files}


@bomb()
def codeowners():
    return {"CODEOWNERS": "".join("*a" * 30 + " @x\n" for i in range(10000)), ".mailmap": "A <a@b> <c@d>\n" * 60000}


@bomb("broken SCIP")
def scip():
    # a document with 2^31 claimed, and one of very many empty occurrences
    claims = b"\x12\xff\xff\xff\xff\x07" + b"x" * 100
    occurrences = b"\x12\x00" * 4000000
    n, length = len(occurrences), b""
    while True:
        length += bytes([n & 127 | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            break
    return {"claims.scip": claims, "index.scip": b"\x12" + length + occurrences}


@bomb()
def tiny_files():
    return {f"d{i % 100}/f{i}.c": f"int v{i};\n" for i in range(100000)}


@bomb("folders: more than 200 levels")
def deep_folders():
    return {"d/" * n + f"f{n}.c": "int x;\n" for n in range(1, 260)} | {"e/" * 150 + ("n" * 200 + "/") * 40 + "f.c": "int y;\n"}


# ---- git

class Objects:
    """Loose objects of a repository, written without git: thousands a second."""

    def __init__(self, repo):
        self.repo = repo

    def put(self, kind, data):
        import hashlib
        head = f"{kind} {len(data)}\0".encode()
        oid = hashlib.sha1(head + data).hexdigest()
        folder = f"{self.repo}/objects/{oid[:2]}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{oid[2:]}", "wb") as f:
            f.write(zlib.compress(head + data, 1))
        return oid

    def tree(self, entries):
        """entries: (mode, name, oid), in git's order."""
        rows = sorted(entries, key=lambda x: x[1] + ("/" if x[0] == "40000" else ""))
        return self.put("tree", b"".join(f"{m} {n}\0".encode() + bytes.fromhex(o) for m, n, o in rows))

    def commit(self, tree, message="x"):
        oid = self.put("commit", f"tree {tree}\nauthor A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n\n{message}\n".encode())
        with open(f"{self.repo}/refs/heads/main", "w") as f:
            f.write(oid + "\n")


def write_files(o, files):
    """A tree of {path: text}."""
    here, below = [], {}
    for path, text in files.items():
        first, _, rest = path.partition("/")
        if rest:
            below.setdefault(first, {})[rest] = text
        else:
            here.append(("100644", first, o.put("blob", text if isinstance(text, bytes) else text.encode())))
    return here + [("40000", name, o.tree(write_files(o, inner))) for name, inner in below.items()]


def git_bomb(limit=None):
    """A function that is given the objects and returns entries of the root (or a message as well)."""
    def keep(f):
        f.git = True
        BOMBS[f.__name__] = (f, limit)
        return f
    return keep


def nested_trees(o, levels, wide, leaf):
    tree = o.tree(leaf)
    for _ in range(levels):
        tree = o.tree([("40000", f"t{i:04}", tree) for i in range(wide)])
    return [("40000", "a", tree)]		# what is walked first


@git_bomb("folders")
def trees_of_trees(o):
    return nested_trees(o, 10, 10, [("100644", f"f{i}.c", o.put("blob", b"int x;\n")) for i in range(10)])


@git_bomb("folders")
def wide_trees(o):
    """Ten trees of 236 KB."""
    return nested_trees(o, 9, 9000, [("100644", f"f{i}.bin", o.put("blob", b"x")) for i in range(6000)])


@git_bomb("folders")
def long_names(o):
    """Few files whose paths are long."""
    tree = o.tree([("100644", f"f{i}.c", o.put("blob", b"int x;\n")) for i in range(1000)])
    for i in range(150):
        tree = o.tree([("40000", "n" * 250 + str(k), tree) for k in range(2)])
    return [("40000", "a", tree)]


@git_bomb("path")
def giant_name(o):
    blob = o.put("blob", b"int x;\n")
    return [("100644", "n" * 60000 + ".c", blob), ("40000", "m" * 60000, o.tree([("100644", f"f{i}.c", blob) for i in range(20000)]))]


@git_bomb()
def huge_message(o):
    return [], "m" * 60_000_000


@git_bomb("too large")
def large_blobs(o):
    return [("100644", f"z{i}.c", o.put("blob", b"%d" % i + b" " * 100_000_000)) for i in range(5)]


@git_bomb()
def links(o):
    link = o.put("blob", b"../" * 1000 + b"etc/passwd")
    return [("120000", f"l{i}.c", link) for i in range(5000)] + [("160000", "sub", "1" * 40)]


def varint(n):
    out = b""
    while True:
        out += bytes([n & 127 | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            return out


def pack(repo, objects):
    """objects: (type, size, base offset or None, data).  A pack of them, indexed by git."""
    out = b"PACK" + (2).to_bytes(4, "big") + len(objects).to_bytes(4, "big")
    at = []
    for kind, size, base, data in objects:
        at.append(len(out))
        head, n = [], size >> 4
        head.append((kind << 4) | (size & 15) | (128 if n else 0))
        while n:
            head.append(n & 127 | (128 if n >> 7 else 0))
            n >>= 7
        out += bytes(head)
        if base is not None:
            d = at[-1] - at[base]
            enc = [d & 127]
            d >>= 7
            while d:
                d -= 1
                enc.insert(0, 128 | (d & 127))
                d >>= 7
            out += bytes(enc)
        out += data
    import hashlib
    out += hashlib.sha1(out).digest()
    subprocess.run(["git", "-c", "pack.threads=1", "-C", repo, "index-pack", "--stdin"], input=out, check=True, stdout=subprocess.DEVNULL)


@git_bomb("git: more than 64 MB")
def deltas(o):
    """Small files that are made of a base of 1 GB."""
    import hashlib
    size = 1 << 30
    z = zlib.compressobj(9)
    chunk = bytes(1 << 20)
    data = b"".join(z.compress(chunk) for _ in range(size >> 20)) + z.flush()
    objects = [(3, size, None, data)]
    entries = []
    for i in range(20):
        text = b"int d%d;\n" % i + b" " * 50
        delta = varint(size) + varint(len(text)) + bytes([len(text)]) + text
        objects.append((6, len(delta), 0, zlib.compress(delta)))
        entries.append(("100644", f"d{i}.c", hashlib.sha1(b"blob %d\0" % len(text) + text).hexdigest()))
    pack(o.repo, objects)
    return entries


# ---- making and measuring

def make(name, folder):
    repo = f"{folder}/{name}.git"
    if os.path.isdir(repo):
        return repo
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", repo], check=True)
    o = Objects(repo)
    f, message = BOMBS[name][0], "x"
    entries = f(o) if hasattr(f, "git") else write_files(o, f())
    if isinstance(entries, tuple):
        entries, message = entries
    o.commit(o.tree(entries + [("100644", "benign.c", o.put("blob", BENIGN)), ("40000", "src", o.tree([("100644", "benign.c", o.put("blob", BENIGN))]))]), message)
    return repo


def spent(argv, log):
    """What the program and its children took."""
    began = time.monotonic()
    with open(log, "wb") as err:
        child = subprocess.Popen([sys.executable, __file__, "run"] + argv, stdout=subprocess.PIPE, stderr=err, stdin=subprocess.DEVNULL)
        out = child.communicate()[0]
    got = json.loads(out)
    return got | {"seconds": round(time.monotonic() - began, 2)}


def left_out(data):
    rows = []
    for folder in os.listdir(data) if os.path.isdir(data) else []:
        for name in os.listdir(f"{data}/{folder}"):
            if name.startswith("index-") and name.endswith(".db"):
                db = sqlite3.connect(f"{data}/{folder}/{name}")
                rows += [list(r) for r in db.execute("select reason, files, example from skips order by 1")]
                found = db.execute("select count(*) from files where path in ('benign.c', 'src/benign.c')").fetchone()[0]
                return rows, found == 2
    return rows, False


def measure(shard, folder, name):
    repo, data = make(name, folder), f"{folder}/{name}.{os.path.basename(os.path.dirname(os.path.dirname(shard)))}{random.random()}"
    got = spent([shard, "--repo", repo, "--data", data, "--once", "--json"], f"{data}.log")
    got["left_out"], got["benign"] = left_out(data)
    print(json.dumps({"bomb": name, "limit": BOMBS[name][1]} | got), flush=True)
    subprocess.run(["rm", "-rf", data, repo])


def run(argv):
    """Be between: what children of this process took is then what one program took."""
    try:
        p = subprocess.run(argv, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=SECONDS)
        status, said = p.returncode, p.stdout.decode(errors="replace")[-300:]
    except subprocess.TimeoutExpired:	# killed; the ingest child goes with its parent
        status, said = -1, ""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"status": status, "rss_kb": usage.ru_maxrss, "cpu": round(usage.ru_utime + usage.ru_stime, 2), "said": said}))


def commit_row(repo, row):
    """A commit on top of HEAD, with one more row in its root: git itself would walk the bomb."""
    def git(*argv, **more):
        return subprocess.run(["git", "-C", repo, *argv], check=True, stdout=subprocess.PIPE, **more).stdout
    tree = git("mktree", input=git("ls-tree", "HEAD") + row.encode()).decode().strip()
    who = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
    git("update-ref", "HEAD", git(*who, "commit-tree", "-p", "HEAD", "-m", "more", tree).decode().strip())


def empty_folders(repo):
    """Folders that hold nothing but folders, ten to the twelfth of them; as one commit, and a file as another one."""
    commit_row(repo, f"040000 tree {nested_trees(Objects(f'{repo}/.git'), 12, 10, [])[0][2]}\ta\n")


def file_after(repo):
    commit_row(repo, f"100644 blob {Objects(f'{repo}/.git').put('blob', b'def after_bomb(): pass')}\tafter.py\n")


if __name__ == "__main__":
    if sys.argv[1] == "list":
        print("\n".join(BOMBS))
    elif sys.argv[1] in ("empty_folders", "file_after"):
        globals()[sys.argv[1]](sys.argv[2])
    elif sys.argv[1] == "run":
        run(sys.argv[2:])
    else:
        for bomb_name in sys.argv[4:]:
            measure(sys.argv[2], sys.argv[3], bomb_name)
