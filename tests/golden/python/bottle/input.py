import bottle
from bottle import get, route

app = bottle.Bottle()


@route("/")
def index():
    return cache.get("/nothing")


@app.route("/both", method=["GET", "POST"])
def both():
    return ""


@app.route("/one", method="PUT")
def one():
    return ""


@get("/users/<id:int>")
def user(id):
    return ""


@bottle.delete("/users/<id>")
def drop(id):
    return ""


@cache.get("/nothing")
def cached():
    return ""
