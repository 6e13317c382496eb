from fastapi import FastAPI
from app.api import items, users
from app.settings import settings

app = FastAPI()
app.include_router(users.router, prefix=settings.PREFIX)
app.include_router(items.router, prefix="/v2")
