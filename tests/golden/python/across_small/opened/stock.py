import json
from urllib.request import Request, urlopen

from opened.settings import STOCK


def left(item):
    with urlopen(f"{STOCK}/items/{item}") as answer:
        return json.load(answer)


def take(item):
    return urlopen(Request(STOCK + "/items/" + item, data=b"{}", method="PUT"))
