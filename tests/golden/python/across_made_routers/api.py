from fastapi import APIRouter


class CrudAPI:
    def __init__(self, prefix: str):
        self.router = APIRouter(prefix=prefix)
        self.router.add_api_route("/all", self.list, methods=["GET"])
        self.router.add_api_route("/{id}", self.one, methods=["GET"])

    def list(self):
        return []

    def one(self, id):
        return id
