from fastapi import APIRouter

from app.routes import users
from app.routes.items import router as items_router

api_router = APIRouter()
api_router.include_router(users.router, tags=["users"])
api_router.include_router(items_router, prefix="/items")
