import os

from pydantic import BaseSettings


class Settings(BaseSettings):
    API_PREFIX: str = "/api"
    ORDERS_URL: str = os.getenv("ORDERS_URL", "http://orders:8000")


settings = Settings()
