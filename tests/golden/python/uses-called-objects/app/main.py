from acme_http import Factory


def test_get(factory: Factory):
    client = factory(1)
    client.get("/")
