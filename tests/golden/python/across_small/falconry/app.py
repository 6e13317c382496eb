import falcon

from falconry.resources import Item, Items

app = falcon.App()
app.add_route("/items", Items())
app.add_route("/items/{item_id}", Item())
