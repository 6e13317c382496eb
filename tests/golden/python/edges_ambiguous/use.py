import json
from os import path


def run(load, thing):
    load("x")
    json.load(thing)
    path.load("y")
    thing.only_here()
    print(len(thing))


def only_here():
    pass
