import httpx
BASE = "http://catalog:8000"

class Catalog:
    def __init__(self):
        self.client = httpx.AsyncClient(base_url=BASE)

    async def items(self, id):
        return await self.client.get(f"/items/{id}")

def make():
    return httpx.Client(base_url="http://billing")
