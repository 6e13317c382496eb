from fastapi import FastAPI
from carts import Carts, pages

app = FastAPI()
app.include_router(Carts().router, prefix="/v2")
app.include_router(pages("/news"), prefix="/v3")
