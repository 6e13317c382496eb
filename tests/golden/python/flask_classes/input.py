from flask import Blueprint, Flask
from flask.views import MethodView
from flask_restful import Api, Resource
from flask_restx import Namespace

app = Flask(__name__)
bp = Blueprint("v1", __name__, url_prefix="/v1")
api = Api(app, prefix="/rest")
below = Api(bp)
people = Namespace("people", description="who")
places = Namespace("places", path="/where")


class UserView(MethodView):
    def get(self, user_id):
        return cache.get("/nothing")

    @login_required
    def put(self, user_id):
        return ""

    def _helper(self):
        return ""


class Todo(Resource):
    def get(self, todo_id=None):
        return {}

    def delete(self, todo_id):
        return {}


@people.route("/", "/all")
class People(Resource):
    @people.doc("list")
    def get(self):
        return []

    def post(self):
        return {}


@places.route("/<int:place_id>")
class Place(Resource):
    def patch(self, place_id):
        return {}


app.add_url_rule("/users/<user_id>", view_func=UserView.as_view("user"))
api.add_resource(Todo, "/todos", "/todos/<int:todo_id>", endpoint="todo")
below.add_resource(Todo, "/things")
app.add_url_rule("/ping", "ping", ping)
registry.add_resource("nothing")


def test(client):
    client.get("/nothing")
    app.test_client().post("/nothing")
