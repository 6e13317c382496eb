import requests


def stock(item):
    return requests.get(f"http://stock/v2/stock/{item}").json()
