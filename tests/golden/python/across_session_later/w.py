import aiohttp


class Wallabag(object):
    host = ""
    aio_sess = None

    def __init__(self, host='', extension='json', aio_sess=None):
        self.host = host
        self.format = extension
        self.aio_sess = aio_sess

    async def query(self, path, method='get', **params):
        if method in ('get', 'post', 'patch'):
            full_path = self.host + path
            if method == 'get':
                resp = await self.aio_sess.get(full_path, params=params)
            elif method == 'post':
                resp = await self.aio_sess.post(full_path, data=params)
            return resp

    async def entries(self):
        path = '/api/entries.{ext}'.format(ext=self.format)
        return await self.query(path, "get")

    async def add(self, entry):
        url = '/api/entries/{entry}.{ext}'.format(entry=entry, ext=self.format)
        return await self.query(url, "post")

    @classmethod
    async def token(cls, host):
        async with aiohttp.ClientSession() as sess:
            async with sess.post(host + '/oauth', data=1) as resp:
                return resp
