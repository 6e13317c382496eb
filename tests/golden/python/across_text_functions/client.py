import requests, urllib.parse, posixpath, os, re
from urllib.parse import urljoin, quote, urlencode
BASE = "http://shop/api"
def f1(id):
    return requests.get(BASE + "/a6/{id}".replace("{id}", id))
def f2(id):
    return requests.get(BASE + "/a12".lower())
def f3(id):
    return requests.get(BASE + re.sub(r"//+", "/", "//a17"))
def f4(id):
    return requests.get("{base}/a19".format(**{"base": BASE}))
def f5(id):
    return requests.get(BASE + "/a21".removesuffix("/"))
def f6(id):
    return requests.get(BASE[:-1] + "/a29")
def f7(id):
    return requests.get(BASE.encode().decode() + "/a31")
