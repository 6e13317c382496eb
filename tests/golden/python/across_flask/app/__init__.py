from flask import Flask
from flask_restful import Api

from .resources import Todo
from .views import bp, nested


def create_app():
    app = Flask(__name__)
    app.config.from_object("config.Config")
    bp.register_blueprint(nested, url_prefix="/nested")
    app.register_blueprint(bp, url_prefix="/shop")
    api = Api(app, prefix="/rest")
    api.add_resource(Todo, "/todos/<int:todo_id>")
    return app
