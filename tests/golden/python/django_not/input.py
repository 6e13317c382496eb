from django.urls import reverse, path
from django.core.cache import cache
from pathlib import Path
def path_of(x):
    cache.get("/a")
    return [path("templates", "x"), Path("/y")]
LINKS = [("/not/a/route", "view")]
