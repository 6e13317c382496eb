from flask import Flask

app = Flask(__name__)


@app.get("/carts/<cart>")
def cart(cart):
    return "{}"
