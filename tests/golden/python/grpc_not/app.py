from unittest_helpers import TemplateStub, BaseServicer


class Renderer(BaseServicer):
    def Render(self, request, context):
        return None


class Boto:
    def __init__(self, client):
        self.client = client
        self.stub = TemplateStub(client)

    def run(self):
        self.stub.Render({})
        self.client.Get()
