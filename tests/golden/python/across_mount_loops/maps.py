from fastapi import FastAPI, APIRouter
app = FastAPI()
a = APIRouter()
b = APIRouter()
@a.get("/one")
def one(): pass
@b.get("/two")
def two(): pass
ROUTERS = {"/x": a, "/y": b}
for prefix, router in ROUTERS.items():
    app.include_router(router, prefix=prefix)
