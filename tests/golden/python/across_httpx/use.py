from client import make, Catalog

def pay(body):
    billing = make()
    return billing.post("/payments", json=body)

async def buy(id):
    return await Catalog().client.delete(f"/items/{id}")
