from fastapi import APIRouter, FastAPI
class Users:
    def __init__(self, service):
        self.router = APIRouter(prefix="/users")
        self._register()
    def _register(self):
        @self.router.get("/{id}")
        async def one(id): return id
        self.router.add_api_route("/", self.all, methods=["GET"])
    def all(self): return []
class Server:
    def __init__(self):
        self.app = FastAPI()
        self._mount()
    def _mount(self):
        self.app.include_router(Users(1).router, prefix="/api")
