from fastapi import FastAPI, APIRouter, WebSocket
from fastapi.testclient import TestClient
app = FastAPI()
client = TestClient(app)

def test_it():
    client.get("/users")
    app.state.cache.get("/x")

@app.on_event("startup")
def start(): ...

@app.exception_handler(ValueError)
def bad(request, e): ...

@app.middleware("http")
async def timing(request, call_next):
    request.headers.get("/h")
    return await call_next(request)
