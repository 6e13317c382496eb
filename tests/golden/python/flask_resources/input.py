from flask import Flask
from flask_restful import Api, Resource

class OrgApi(Api):
    def add_org_resource(self, resource, *urls, **kwargs):
        return self.add_resource(resource, *["/<org>" + u for u in urls], **kwargs)

api = OrgApi(Flask(__name__))

class Alerts(Resource):
    def get(self): ...
    def post(self): ...

class Alert(Resource):
    def delete(self, id): ...

api.add_org_resource(Alerts, "/api/alerts", endpoint="alerts")
api.add_org_resource(Alert, "/api/alerts/<id>", "/api/alarms/<id>")
api.add_resourceful("/nothing", Alert)
