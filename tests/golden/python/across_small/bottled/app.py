from bottle import Bottle, run

from bottled.paths import USERS

app = Bottle()


@app.get(USERS + "/<user_id:int>")
def one(user_id):
    return load(user_id)


@app.route(USERS, method=["POST"])
def add():
    return save()
