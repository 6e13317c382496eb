import requests
BASE = "http://shop"
BASE += "/api"
PATHS = {"a": "/orders"}

def orders():
    return requests.get(BASE + "/orders")

def joined(i):
    parts = ["http://shop", "/users/", str(i)]
    return requests.get("".join(parts))

def joined2(i):
    return requests.get("/".join(["http://shop", "items", str(i), "parts"]))

def named(name):
    return requests.get("http://shop/names/%(name)s/x" % {"name": name})

def named2():
    return requests.get("http://shop/names/%(name)s/x" % {"name": "bob"})

def branch(admin):
    url = "http://shop/users"
    if admin:
        url += "/admin"
    return requests.get(url)
