import requests
from flask import Blueprint, current_app

bp = Blueprint("views", __name__)
nested = Blueprint("nested", __name__)


@bp.route("/cart")
def cart():
    requests.get(current_app.config["USERS_URL"] + "/users")
    return ""


@nested.route("/deep", methods=["PUT"])
def deep():
    return ""
