from flask import Blueprint

rooms = Blueprint("rooms", __name__, url_prefix="/rooms")
halls = Blueprint("halls", __name__, url_prefix="/halls")


@rooms.get("/<int:id>")
def room(id): ...


@halls.get("/<int:id>")
def hall(id): ...
