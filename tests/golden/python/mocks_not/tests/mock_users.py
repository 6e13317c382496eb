from flask import Flask

app = Flask(__name__)


@app.route("/customers/<custid>", methods=["GET"])
def customer(custid):
    return "{}"
