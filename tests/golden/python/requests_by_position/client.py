from dataclasses import dataclass
import requests

@dataclass
class Call:
    verb: str
    path: str

def run(call):
    return requests.request(call.verb, "http://shop/v2" + call.path)

def change(id):
    return run(Call("PUT", f"/carts/{id}"))

DEFAULTS = {"verb": "GET", "json": None}

def send(options):
    o = {**DEFAULTS, **options}
    return requests.request(o["verb"], "http://shop/v2" + o["path"])

def remove(id):
    return send({"verb": "DELETE", "path": f"/carts/{id}"})

def carts():
    return send({"path": "/carts"})
