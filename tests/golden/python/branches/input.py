import requests


def each(id, train):
    if train:
        url = f"http://trains/trips/{id}"
    elif id:
        url = "http://trams/stops"
    else:
        url = f"http://buses/lines/{id}"
    requests.get(url)


def perhaps(all):
    path = "/orders"
    if all:
        path = "/orders/all"
    requests.delete("http://shop" + path)


def one(id):
    url = "http://shop/first"
    requests.get(url)
    url = "http://shop/second/" + id
    requests.get(url)


def appended(all):
    url = "http://shop/list"
    if all:
        url += "/all"
    requests.get(url)
