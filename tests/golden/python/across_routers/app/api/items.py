from fastapi import APIRouter

router = APIRouter()
cache = {}


@router.post("/items")
def make():
    return cache.get("/items")
