import requests
from unittest import mock
requests_by_user = {}

def count(user, session):
    requests_by_user.get("/users", 0)
    session.get("user_id")
    cache = dict()
    cache.get("/cached")
    return requests.codes.ok

def exceptions():
    try:
        pass
    except requests.exceptions.HTTPError as e:
        return e.request.get("/x")
