import aiohttp
from session import make_session, BASE

async def today(city):
    session = make_session()
    async with session.get(f"/today/{city}") as r:
        return await r.json()

async def week(session: aiohttp.ClientSession, city):
    return await session.post(BASE + "/week", json={"city": city})
