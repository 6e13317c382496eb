from sanic import Sanic

from sanity.orders import orders

app = Sanic("orders")
app.blueprint(orders)
