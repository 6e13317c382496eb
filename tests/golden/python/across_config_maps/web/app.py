import os

import requests
from flask import Flask

app = Flask(__name__)
app.config["LEDGER_URI"] = "http://{}/entries".format(os.environ.get("LEDGER_ADDR"))


@app.post("/pay")
def pay():
    return requests.post(url=app.config["LEDGER_URI"], json={}).json()


@app.get("/balance/<account>")
def balance(account):
    return requests.get(f"http://{os.environ['LEDGER_ADDR']}/balances/{account}").json()
