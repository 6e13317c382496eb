from flask import Flask, request

app = Flask(__name__)


@app.route("/customers/<custid>")
@app.route("/customers/<custid>/cards/<uuid:card>")
def customer(custid, card=None):
    return request.args.get("/nothing")


@app.route("/<string(length=2):lang>/pages/<any(about, help):page>", strict_slashes=False, methods=["POST"])
def page(lang, page):
    return ""


@app.route("/v<int:version>/items", endpoint="items", methods=["GET", "PUT"])
def items(version): return ""
