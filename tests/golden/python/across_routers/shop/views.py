from flask import Blueprint

bp = Blueprint("views", __name__, url_prefix="/old")


@bp.route("/cart", methods=["GET", "POST"])
def cart():
    return ""
