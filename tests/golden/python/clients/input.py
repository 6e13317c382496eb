import http.client
import urllib.request
from typing import Optional
from urllib.request import Request, urlopen

import httpx
import requests
import requests_mock
import urllib3
from httpx import AsyncClient
from requests import Session

USERS = "http://users:8080"
URLS = {"orders": "http://orders"}
pool = urllib3.PoolManager()


class Client:
    session = requests.Session()

    def __init__(self, http: Optional[httpx.AsyncClient] = None):
        self.http = http or httpx.AsyncClient(base_url="http://catalog/api")
        self.own = Session()

    async def load(self, name):
        self.session.get(USERS + "/session")
        self.own.delete(USERS + "/own")
        await self.http.get(f"/products/{name}")
        async with AsyncClient(base_url=USERS) as client:
            await client.put("/in-with")
        async with self.http.stream("GET", "/streamed") as response:
            return response

    def typed(self, client: AsyncClient, maybe: requests.Session = None):
        client.patch("http://h/typed")
        maybe.head("http://h/maybe")


def load(name, unknown):
    urllib.request.urlopen(USERS + "/opened")
    urlopen(f"{USERS}/opened/{name}")
    req = Request(USERS + "/data", data=b"", method="PUT")
    urlopen(req)
    urllib.request.Request(USERS + "/posted", data=b"x")
    urllib.request.Request(USERS + "/plain")
    pool.request("POST", USERS + "/pooled")
    urllib3.request("GET", "http://h/one")
    conn = http.client.HTTPConnection("payment", 8080)
    conn.request("POST", "/pay")
    requests.request(method="DELETE", url=USERS + "/keywords")
    requests.get(URLS["orders"] + "/known-only-when-run")
    requests.Session().get(USERS + "/at-once")
    requests.Request("PATCH", USERS + "/prepared")
    httpx.post("http://h/x", json=requests.codes.get("/nothing"))
    with requests_mock.Mocker() as m:
        m.get("http://mock/nothing")
        requests_mock.post("http://mock/nothing")
    settings.get("/nothing")
    own.Request("/nothing")
    name.request("/nothing")
    """requests.get("http://docs/nothing")"""
    # requests.get("http://comment/nothing")


def test(app, client):
    client.get("/nothing")
    app.test_client().get("/nothing")
    TestClient(app).post("/nothing")
    httpx.AsyncClient(app=app, base_url="http://test").get("/nothing")
