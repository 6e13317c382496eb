from fastapi import FastAPI

from app.config import settings
from app.router import api_router

app = FastAPI()
app.include_router(api_router, prefix=settings.API_PREFIX)
