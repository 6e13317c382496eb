from flask_restful import Resource


class Todo(Resource):
    def get(self, todo_id):
        return {}

    def delete(self, todo_id):
        return {}
