import requests


def test_cart():
    assert requests.get("http://localhost:8080/carts/1").ok
