from fastapi import APIRouter, FastAPI

app = FastAPI()
router = APIRouter(prefix="/api")


@router.get("/books")
def list_books():
    return []


@router.get("/books/{number}", operation_id="readBook")
def read_book(number: str):
    return {}


@router.put("/volumes/{number}")
def write_book(number: str):
    return {}


app.include_router(router)
