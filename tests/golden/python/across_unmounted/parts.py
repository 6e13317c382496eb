from fastapi import APIRouter, FastAPI

api = FastAPI()
doors = APIRouter()
windows = APIRouter(prefix="/windows")
api.include_router(doors, prefix="/house")


@doors.get("/doors")
def all_doors(): ...


@windows.get("/{id}")
def window(id): ...
