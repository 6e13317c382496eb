from sanic import Blueprint, Sanic
from sanic.views import HTTPMethodView

app = Sanic("x")
bp = Blueprint("b", url_prefix="/b")


@app.get("/users/<id:int>")
async def user(request, id):
    return cache.get("/nothing")


@bp.route("/both", methods=["GET", "POST"])
async def both(request):
    return None


@cache.get("/nothing")
async def cached(request):
    return None


class View(HTTPMethodView):
    async def put(self, request):
        return None


app.add_route(View.as_view(), "/view")
app.add_route(both, "/added", methods=["DELETE"])
