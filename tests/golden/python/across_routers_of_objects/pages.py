from flask import Flask, Blueprint
class Users:
    def __init__(self):
        self.bp = Blueprint("users", __name__, url_prefix="/users")
        self.bp.add_url_rule("/<int:id>", view_func=self.one, methods=["DELETE"])
    def one(self, id): return id
class Server:
    def __init__(self):
        self.app = Flask(__name__)
        self.users = Users()
        self.app.register_blueprint(self.users.bp, url_prefix="/api/users")


later = Blueprint("later", __name__)


@later.route("/status", methods=["GET"])
def status():
    return "ok"


def registrators(app: Flask):
    from functools import partial
    return [partial(app.register_blueprint, later, url_prefix="/api")]
