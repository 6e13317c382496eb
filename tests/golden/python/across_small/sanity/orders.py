from sanic import Blueprint, json

orders = Blueprint("orders", url_prefix="/sanity/orders")


@orders.get("/<order_id:uuid>")
async def one(request, order_id):
    return json({})


@orders.route("/", methods=["POST"])
async def add(request):
    return json({})
