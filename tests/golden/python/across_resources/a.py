import requests
class Client:
    def get(self, path): return requests.get("https://y.example/base" + path)
    def delete(self, path): return requests.delete("https://y.example/base" + path)
class Resource:
    path = None
    def __init__(self, client: Client): self.client = client
    def all(self): return self.client.get(self.path)
    def one(self, id): return self.client.get(f"{self.path}/{id}")
class Cars(Resource):
    path = "/cars"
class Boats(Resource):
    path = "/boats"
    def sail(self, id): return self.client.delete(f"{self.path}/{id}/sail")
