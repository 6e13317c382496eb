import requests


def call(path, query=None, tail=False):
    path += "/v2"
    if query:
        path += "?" + query
    if tail:
        path += "/tail"
    return requests.get("http://p" + path)


def first():
    return call("/a")


def second():
    return call("/b", tail=True)
