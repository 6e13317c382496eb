import httpx
from app import app

client = httpx.AsyncClient(app=app, base_url="http://test")

async def test_it():
    await client.get("/in-process")

def limits(headers: httpx.Headers):
    return headers.get("/no")
