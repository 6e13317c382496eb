from fastapi import FastAPI
from api import CrudAPI

app = FastAPI()
users = CrudAPI("/users")
app.include_router(users.router)
app.include_router(CrudAPI("/orders").router, prefix="/v2")
