from fastapi import APIRouter

class Carts:
    def __init__(self):
        self.router = APIRouter(prefix="/carts")
        self.router.add_api_route("/{id}", self.change, methods=["PUT"])

    def change(self, id): ...

def pages(prefix):
    router = APIRouter(prefix=prefix)

    @router.get("/all")
    def all(): ...

    return router
