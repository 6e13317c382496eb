import os.path
import posixpath

import requests

HOST = "http://pages/"


def address(*parts, slash=False):
    return HOST + "/".join(str(part) for part in parts)


def joined(host, parts):
    return host + "/".join(["api"] + list(parts))


def below(*parts):
    return posixpath.join(HOST, *parts)


def show(number):
    return requests.get(address("api", "pages", number))


def store(page):
    return requests.post(joined(HOST, ("pages",)), json=page)


def remove(number):
    return requests.delete(below("api", "pages", str(number)))


def languages(parts):
    return requests.get(HOST + "/".join(parts))
