import aiohttp
BASE = "http://weather:5000"
def make_session():
    return aiohttp.ClientSession(BASE)
