from flask import Flask
app = Flask(__name__)
ROWS = [("/a", "GET"), ("/b", "POST")]
for path, verb in ROWS:
    app.add_url_rule("/t" + path, methods=[verb], view_func=h)
PATHS = ["/c", "/d"]
PREFIXED = ["/p" + p for p in PATHS]
for p in PREFIXED:
    app.add_url_rule(p, view_func=h)
for row in ROWS:
    app.add_url_rule("/r" + row[0], methods=[row[1]], view_func=h)
TABLE = {"/e": "GET", "/f": "POST"}
for path, verb in TABLE.items():
    app.add_url_rule("/m" + path, methods=[verb], view_func=h)
OBJ = [dict(path="/g", verb="GET"), {"path": "/h", "verb": "POST"}]
for o in OBJ:
    app.add_url_rule("/o" + o["path"], methods=[o["verb"]], view_func=h)
PRE2 = [("/q" + p, v) for p, v in ROWS]
for path, verb in PRE2:
    app.add_url_rule(path, methods=[verb], view_func=h)
for path, verb in map(lambda r: ("/z" + r[0], r[1]), ROWS):
    app.add_url_rule(path, methods=[verb], view_func=h)

def h():
    pass
