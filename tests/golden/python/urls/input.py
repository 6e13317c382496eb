import os
import posixpath
from urllib.parse import urljoin, quote

import requests

BASE = "http://users:8080/v1/"
HOST = "http://carts"
HOSTNAME = os.getenv("USERS_HOST", "users")
app.config["CARTS"] = "http://{}/v2".format(os.environ.get("CARTS_ADDR", "carts:80"))


def load(name, part):
    requests.get(urljoin(BASE, "users"))
    requests.get(urljoin(BASE, "/users"))
    requests.get(urljoin(HOST, "users/%s" % name))
    requests.get(urljoin(BASE, "http://other/x"))
    requests.get(os.path.join(HOST, "items", quote(name)))
    requests.get(posixpath.join(BASE, "/items"))
    requests.get("/".join([HOST, "a", part]))
    requests.get("/".join((HOST, "b")))
    requests.get(HOST.rstrip("/") + "/c")
    requests.get(f"{HOST}{part}")
    requests.get(part.join("nothing"))
    requests.get("http://{host}:80/users/{id}".format(id=name, host=HOSTNAME))
    requests.get(app.config["CARTS"] + "/items")
    requests.get(other["CARTS"] + "/hole")
    os.path.join("/nothing", "to", "call")
