import requests
from . import paths
from .paths import Page, PATHS

def one(id):
    return requests.get("http://shop" + paths.PATHS["cart"]["one"].format(id=id))

def all():
    return requests.get("http://shop" + PATHS["cart"]["all"])

def home():
    return requests.get("http://shop" + Page.HOME.value)

def unknown(key):
    return requests.get("http://shop" + PATHS["cart"][key])
