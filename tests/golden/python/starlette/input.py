from starlette.applications import Starlette
from starlette.endpoints import HTTPEndpoint
from starlette.routing import Mount, Route, WebSocketRoute


class User(HTTPEndpoint):
    async def get(self, request):
        return None

    async def delete(self, request):
        return None


async def home(request):
    return request.headers.get("/nothing")


routes = [
    Route("/", home),
    Route("/both", endpoint=home, methods=["GET", "POST"]),
    Mount("/api", routes=[
        Mount("/v1", routes=[Route("/users/{id:int}", User)]),
        Route("/files/{name:path}", home),
    ]),
    WebSocketRoute("/nothing", home),
]
app = Starlette(routes=routes)
