import requests
def by(status, id=None):
    return requests.get(f"/py/orders/{id or ''}/lines")
def by2(id):
    base = os.environ.get("X") or ""
    return requests.get(base + "/py2/orders")
