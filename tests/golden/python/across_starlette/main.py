from starlette.applications import Starlette
from starlette.routing import Mount, Route
from users import user_routes
from orders import orders_app, health

app = Starlette(routes=[
    Mount("/users", routes=user_routes),
    Mount("/orders", app=orders_app),
    Route("/health", health),
])
