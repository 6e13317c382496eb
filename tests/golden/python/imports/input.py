import os
import os.path, json as j
from . import views
from .. import models as m
from ..db.users import User, Repo as R
from shop.stock import (
    Item,
    count as how_many,
)
from helpers import *


def late():
    import csv
    from store import open_store

    return csv, open_store
