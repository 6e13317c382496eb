import requests

BASE = "http://shop"


def joined(*path):
    return "/".join(path)


def url(realm, *path):
    path = [BASE, "realms", realm, *path]
    return joined(*path)


def plain(*path):
    s = BASE + "/" + joined(*path)
    path = ["late", *path]
    print(len(path))
    return s


def users(realm):
    return requests.get(url(realm, "users"))


def user(realm, id):
    return requests.get(url(realm, "users", id))


def info():
    return requests.get(plain("server", "info"))
