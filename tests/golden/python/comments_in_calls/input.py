from flask import Flask

app = Flask(__name__)


@app.get(
    # the public list
    "/orders"
)
def orders():
    return []


app.add_url_rule(
    # for probes
    "/health",
    view_func=lambda: "ok",
)
