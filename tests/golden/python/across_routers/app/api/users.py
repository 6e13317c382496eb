from fastapi import APIRouter

router = APIRouter(prefix="/users")


@router.get("/{user_id}")
def read(user_id: int):
    return {}
