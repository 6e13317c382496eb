from flask import Blueprint

pages = Blueprint("pages", __name__, url_prefix="/api")


def answers(path, methods=("GET",), name=None):
    """Registers what it decorates."""

    def decorate(function):
        pages.add_url_rule(path, name or function.__name__, function, methods=list(methods))
        return function

    return decorate
