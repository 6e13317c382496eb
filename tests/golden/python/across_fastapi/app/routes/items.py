from fastapi import APIRouter, Depends

router = APIRouter()


@router.post("", dependencies=[Depends(print)])
def make():
    return {}
