from kit.client import TestClient


def check():
    TestClient("x").replay().body()
