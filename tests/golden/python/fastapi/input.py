from fastapi import APIRouter, FastAPI

app = FastAPI()
users = APIRouter(prefix="/users")
late = APIRouter()


@app.get("/")
async def index():
    return {}


@users.post("/{user_id}/notes/{path:path}", status_code=201)
async def note(user_id: int):
    return {}


@users.api_route("/both", methods=["GET", "PUT"])
def both():
    return cache.get("/nothing")


@late.delete("/late")
def drop():
    return {}


app.include_router(late, prefix="/v2")
