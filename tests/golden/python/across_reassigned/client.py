import requests

BASE = "http://orders/"


def prefixed(path):
    if path.startswith("api/"):
        path = "old/" + path
    else:
        path = "api/" + path
    return requests.get(BASE + path)


def fallback(path):
    if path == "":
        path = "all"
    return requests.get(BASE + path)
