from fastapi import FastAPI, APIRouter
app = FastAPI()
a = APIRouter(prefix="/a")
b = APIRouter()
@a.get("/one")
def one(): pass
@b.get("/two")
def two(): pass
ROUTERS = [a, b]
for r in ROUTERS:
    app.include_router(r, prefix="/api")
PAIRS = [("/x", b)]
for p, r in PAIRS:
    app.include_router(r, prefix=p)
