import requests
BASE = "http://users:80"
def f(kind, id):
    url = None
    if kind == 1:
        url = f"{BASE}/a/{id}"
    elif kind == 2:
        url = BASE + "/b"
    else:
        url = BASE + "/c"
    return requests.get(url)
def g(x):
    url = BASE + "/d"
    if x:
        url = url + "/e"
    return requests.post(url)
def h(x):
    url = "/old"
    url = BASE + "/new"
    return requests.post(url)
def k(x):
    url = BASE + "/k"
    requests.get(url)
    url = BASE + "/k2"
    requests.get(url)
