import aiohttp


class Watcher:
    def __init__(self, host, session=None):
        self.host = host
        self._session = session

    async def watch(self):
        if self._session is None:
            self._session = aiohttp.ClientSession()
        return await self._session.get(f"http://{self.host}/watch")
