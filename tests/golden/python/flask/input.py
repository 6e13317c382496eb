import requests
from flask import Blueprint, Flask

app = Flask(__name__)
api = Blueprint("api", __name__, url_prefix="/api")
late = Blueprint("late", __name__)
ROOT = "/root"
settings = {}


@app.route("/")
def index():
    return settings.get("/nothing")


@app.route("/users/<int:user_id>/", strict_slashes=False, methods=["GET", "POST"])
@login_required
def user(user_id):
    """One user."""
    return ""


@app.route(ROOT + "/<path:rest>", methods=("DELETE",))
def drop(rest):
    return ""


@api.get("/items")
def items():
    return requests.get("/nothing-to-provide")


@late.route("/late")
def later():
    return ""


@cache.get("/nothing")
def not_a_route():
    return ""


app.register_blueprint(late, url_prefix="/v2")
app.add_url_rule("/health", view_func=index)
