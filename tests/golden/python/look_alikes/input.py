"""Near bottle, falcon, sanic, locust, pycurl and urllib, and none of them."""
import bottle
import falcon
import pycurl
import sanic
from locust import events
from urllib.parse import urljoin


class Shelf:
    def route(self, path):
        return lambda f: f

    def get(self, path):
        return lambda f: f


shelf = Shelf()


@shelf.get("/shelf")
def shelved():
    return bottle.template("page")


@shelf.route("/shelf/<n>")
def numbered(n):
    return falcon.HTTP_200


class Keys:
    """on_get, but nobody routes to it."""

    def on_get(self, key):
        return self.store[key]


class Map:
    def draw(self, app):
        self.layer.add_route([1, 2], "blue")
        self.lines.add_route(Keys(), colour)


@cache.route("/cached", methods=["GET"])
def cached():
    return sanic.__version__


@events.request.add_listener
def listened(request_type, name, **kwargs):
    stats.client_count.get("/stats")


def handle():
    curl = pycurl.Curl()
    curl.setopt(pycurl.TIMEOUT, 3)
    curl.setopt(pycurl.USERAGENT, "/agent")
    return urljoin("http://base", "/joined")


def queue():
    r = Request("/queued", data=1)
    pool.request("GET", "/pooled")
    opener.urlopener("/opened")
    return r
