import httpx
from fastapi import APIRouter

from app.config import settings

router = APIRouter(prefix="/users")


@router.get("/{user_id}")
async def read(user_id: int):
    async with httpx.AsyncClient() as client:
        await client.get(f"{settings.ORDERS_URL}/orders/{user_id}")
    return {}
