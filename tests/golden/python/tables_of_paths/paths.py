from enum import Enum

ROOT = "/v2"
PATHS = {"cart": {"one": ROOT + "/carts/{id}", "all": ROOT + "/carts"}}

class Page(Enum):
    HOME = "/home"
