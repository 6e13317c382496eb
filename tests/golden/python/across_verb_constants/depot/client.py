from aiohttp import ClientSession, hdrs
from aiohttp.hdrs import METH_DELETE, METH_GET
from yarl import URL


class Depot:
    session: ClientSession
    base: URL

    async def send(self, method, path):
        url = URL.build(scheme="http", host=self.host).joinpath(f"api/v2/{path}")
        return await self.session.request(method, url)

    async def crates(self):
        return await self.send(METH_GET, "crates")

    async def drop(self, id):
        return await self.send(METH_DELETE, f"crates/{id}")

    async def put(self, id):
        return await self.send(hdrs.METH_PUT, f"crates/{id}")

    async def page(self, n):
        return await self.session.get((self.base / "pages").with_query(n=n))
