import requests


class Request:
    def __init__(self, path):
        self.path = path
        self.method = None


class Client:
    def __init__(self, base):
        self.base = base

    def get(self, request):
        request.method = "GET"
        return self.send(request)

    def put(self, request):
        request.method = "PUT"
        return self.send(request)

    def send(self, request):
        return requests.request(request.method, f"{self.base}/api/{request.path}")
